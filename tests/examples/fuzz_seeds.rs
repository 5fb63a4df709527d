//! Writes what fuzzing begins from into `tests/fuzz`: a corpus of scenarios and traces, and a dictionary of words.

use std::fmt::Write;
use std::fs;
use std::io;
use std::path::Path;

use fencepost_tests::drawn::{PUT_TOGETHER, scenario_seeds, trace_seeds, words};

fn main() -> io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz");
    for (target, seeds) in [("scenario_text", scenario_seeds()), ("trace_text", trace_seeds())] {
        let corpus = folder.join("corpus").join(target);
        fs::create_dir_all(&corpus)?;
        for (name, text) in &seeds {
            fs::write(corpus.join(name), text)?;
        }
        // The same, as what is put together begins from them.
        for number in 0..seeds.len() {
            fs::write(corpus.join(format!("put-together-{number}")), [PUT_TOGETHER, number as u8, 0, 0, 0, 0])?;
        }
        println!("{} texts in {}", seeds.len(), corpus.display());
    }
    let mut dictionary = String::new();
    for word in words() {
        let escaped: String = word.bytes().map(|byte| format!("\\x{byte:02x}")).collect();
        writeln!(dictionary, "\"{escaped}\"").expect("a string takes any text");
    }
    let path = folder.join("words.dict");
    fs::write(&path, dictionary)?;
    println!("words in {}", path.display());
    Ok(())
}
