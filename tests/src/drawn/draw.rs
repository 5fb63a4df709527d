//! Choices made by bytes.

/// Makes choices by bytes. Where they are used up, it chooses the first of all: so every list of bytes makes something,
/// and a short one something small.
#[derive(Debug)]
pub struct Draw<'a> {
    bytes: &'a [u8],
}

impl<'a> Draw<'a> {
    /// Chooses by these bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    /// Whether all bytes are used up.
    pub fn is_used_up(&self) -> bool {
        self.bytes.is_empty()
    }

    /// A number of so many bytes.
    fn number(&mut self, bytes: usize) -> u64 {
        let (taken, rest) = self.bytes.split_at(bytes.min(self.bytes.len()));
        self.bytes = rest;
        taken.iter().fold(0, |number, byte| number << 8 | u64::from(*byte))
    }

    /// Any number.
    pub fn any(&mut self) -> u64 {
        self.number(8)
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        let bytes = if end <= 1 << 8 { 1 } else { 3 };
        (self.number(bytes) % end.max(1) as u64) as usize
    }

    /// A number from 0 to `most`.
    pub fn up_to(&mut self, most: usize) -> u8 {
        self.below(most + 1) as u8
    }

    /// A number from 1 to `most`.
    pub fn one_to(&mut self, most: usize) -> u8 {
        self.below(most) as u8 + 1
    }

    /// Two times in three, as long as there are bytes.
    pub fn often(&mut self) -> bool {
        self.below(3) > 0
    }

    /// One time in four, as long as there are bytes.
    pub fn seldom(&mut self) -> bool {
        self.below(4) == 3
    }

    /// One of these.
    pub fn one_of<T: Clone>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())].clone()
    }
}
