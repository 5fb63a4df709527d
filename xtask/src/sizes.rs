//! What a visitor downloads.

use std::fmt::Write as _;
use std::io::Write as _;

use anyhow::{Result, bail};
use brotli::enc::BrotliEncoderParams;
use flate2::Compression;
use flate2::write::GzEncoder;

/// The most that a first visit may load, in bytes, compressed by brotli: 120 KB of 1,000 bytes.
pub const BUDGET: usize = 120_000;

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

/// The files a first visit loads, each with its size.
pub struct FirstVisit(pub Vec<(String, Size)>);

impl FirstVisit {
    fn total(&self) -> Size {
        self.0.iter().fold(Size::default(), |sum, (_, size)| sum.plus(*size))
    }

    /// One line a file, then the sum and what it may be.
    pub fn table(&self) -> String {
        let total = ("total".to_owned(), self.total());
        let width = self.0.iter().map(|(name, _)| name.len()).max().unwrap_or(0).max("first visit".len());
        let mut table = format!("{:width$} {:>9} {:>9} {:>9}\n", "first visit", "raw", "gzip", "brotli");
        for (name, size) in self.0.iter().chain([&total]) {
            let Size { raw, gzip, brotli } = size;
            writeln!(table, "{name:width$} {raw:>9} {gzip:>9} {brotli:>9}").expect("a string takes all");
        }
        writeln!(table, "{:width$} {:>9} {:>9} {BUDGET:>9}", "budget", "", "").expect("a string takes all");
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

#[cfg(test)]
mod tests {
    use super::*;

    fn visit(brotli: usize) -> FirstVisit {
        FirstVisit(vec![
            ("index.html".to_owned(), Size { raw: 1_000, gzip: 500, brotli: 400 }),
            ("page.wasm".to_owned(), Size { raw: 300_000, gzip: 130_000, brotli }),
        ])
    }

    #[test]
    fn the_table_adds_up() {
        let expected = "\
first visit       raw      gzip    brotli
index.html       1000       500       400
page.wasm      300000    130000    110000
total          301000    130500    110400
budget                             120000
";
        assert_eq!(visit(110_000).table(), expected);
    }

    #[test]
    fn the_budget_may_be_used_up_but_not_exceeded() {
        visit(BUDGET - 400).check().unwrap();
        let error = visit(BUDGET - 399).check().unwrap_err();
        assert_eq!(error.to_string(), "a first visit loads 120001 bytes (brotli), 1 over the budget of 120000");
    }

    #[test]
    fn compression_is_real() {
        let size = Size::of(&[7; 10_000]).unwrap();
        assert_eq!(size.raw, 10_000);
        assert!(size.gzip < 100 && size.brotli < size.gzip);
    }
}
