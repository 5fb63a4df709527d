//! What a visitor downloads.

use std::fmt::Write as _;
use std::io::Write as _;

use anyhow::{Result, bail};
use brotli::enc::BrotliEncoderParams;
use flate2::Compression;
use flate2::write::GzEncoder;

/// The most that a first visit may load, in bytes, compressed by brotli. The page with everything is to stay below 200,000 and
/// a figure in an article below 120,000; this is held close to what there is, so that every growth is seen.
pub const BUDGET: usize = 170_000;

/// The size of a file in bytes, as it is and as a server sends it at the best setting of each compressor.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Size {
    raw: usize,
    gzip: usize,
    brotli: usize,
}

impl Size {
    /// Compresses the bytes to see.
    pub fn of(bytes: &[u8]) -> Result<Size> {
        let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
        gzip.write_all(bytes)?;

        let best = BrotliEncoderParams { quality: 11, size_hint: bytes.len(), ..BrotliEncoderParams::default() };
        let mut brotli = Vec::new();
        brotli::BrotliCompress(&mut &*bytes, &mut brotli, &best)?;

        Ok(Size { raw: bytes.len(), gzip: gzip.finish()?.len(), brotli: brotli.len() })
    }

    fn plus(self, other: Size) -> Size {
        Size { raw: self.raw + other.raw, gzip: self.gzip + other.gzip, brotli: self.brotli + other.brotli }
    }
}

/// Files that are loaded together, each with its size.
pub struct Loaded {
    /// What loads them.
    pub what: &'static str,
    pub files: Vec<(String, Size)>,
}

impl Loaded {
    fn total(&self) -> Size {
        self.files.iter().fold(Size::default(), |sum, (_, size)| sum.plus(*size))
    }

    fn width(&self) -> usize {
        self.files.iter().map(|(name, _)| name.len()).max().unwrap_or(0).max(self.what.len())
    }

    /// One line a file, then the sum.
    pub fn table(&self) -> String {
        let total = ("total".to_owned(), self.total());
        let width = self.width();
        let mut table = format!("{:width$} {:>9} {:>9} {:>9}\n", self.what, "raw", "gzip", "brotli");
        for (name, size) in self.files.iter().chain([&total]) {
            let Size { raw, gzip, brotli } = size;
            writeln!(table, "{name:width$} {raw:>9} {gzip:>9} {brotli:>9}").expect("a string takes all");
        }
        table
    }

    /// Fails if the sum is over [`BUDGET`].
    pub fn check(&self) -> Result<()> {
        let brotli = self.total().brotli;
        if brotli > BUDGET {
            bail!("a first visit loads {brotli} bytes (brotli), {} over the budget of {BUDGET}", brotli - BUDGET);
        }
        Ok(())
    }
}

/// The line below the table of a first visit: what it may be.
pub fn budget_line(visit: &Loaded) -> String {
    format!("{:width$} {:>9} {:>9} {BUDGET:>9}\n", "budget", "", "", width = visit.width())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visit(brotli: usize) -> Loaded {
        let files = vec![
            ("index.html".to_owned(), Size { raw: 1_000, gzip: 500, brotli: 400 }),
            ("page.wasm".to_owned(), Size { raw: 300_000, gzip: 130_000, brotli }),
        ];
        Loaded { what: "first visit", files }
    }

    #[test]
    fn the_table_adds_up() {
        let expected = format!(
            "\
first visit       raw      gzip    brotli
index.html       1000       500       400
page.wasm      300000    130000    110000
total          301000    130500    110400
budget                             {BUDGET}
"
        );
        let visit = visit(110_000);
        assert_eq!(visit.table() + &budget_line(&visit), expected);
    }

    #[test]
    fn the_budget_may_be_used_up_but_not_exceeded() {
        visit(BUDGET - 400).check().unwrap();
        let error = visit(BUDGET - 399).check().unwrap_err();
        let over = BUDGET + 1;
        let expected = format!("a first visit loads {over} bytes (brotli), 1 over the budget of {BUDGET}");
        assert_eq!(error.to_string(), expected);
    }

    #[test]
    fn compression_is_real() {
        let size = Size::of(&[7; 10_000]).unwrap();
        assert_eq!(size.raw, 10_000);
        assert!(size.gzip < 100 && size.brotli < size.gzip);
    }
}
