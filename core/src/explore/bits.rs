//! Values as bits: what a search keeps of a state.
//!
//! A [`Small`] value has a fixed number of bits, known when it is compiled, so that packing one is shifting constants. A
//! [`Pack`] value writes its small parts one after another and may leave out those that a configuration never uses.
//! The macros at the end make a new field or variant one line where the layout is written down.

use super::MAX_STATE_BYTES;
use super::layout::Form;
use crate::epoch::Tokens;
use crate::id::Version;

/// Most words of a packed state.
pub(crate) const MAX_WORDS: usize = MAX_STATE_BYTES / 8;

/// A value of at most 64 bits.
pub(crate) trait Small: Copy {
    /// How many.
    const WIDTH: u32;

    /// Its bits, the lowest [`Small::WIDTH`] of a word. Tokens are told by their place among those that a run hands out. A part
    /// that is larger than its place leaves what is too much in `excess`; the word then means nothing.
    fn pack(self, tokens: &Tokens, excess: &mut u64) -> u64;

    /// The value of the lowest [`Small::WIDTH`] of `bits`; those above may be anything.
    fn unpack(bits: u64, tokens: &Tokens) -> Self;
}

/// A value that can be written as bits and read again, in two parts: what every configuration has comes first, in a fixed
/// number of bits, so that where it stands is known when this is compiled; what only some have comes after all of that.
pub(crate) trait Pack: Sized {
    /// Writes what every configuration has.
    fn write(&self, out: &mut Writer<'_>);
    /// Reads it; what only some configurations have is as it is at rest.
    fn read(from: &mut Reader<'_>) -> Self;
    /// Writes what this configuration has besides.
    #[inline(always)]
    fn write_more(&self, _out: &mut Writer<'_>) {}
    /// Reads it.
    #[inline(always)]
    fn read_more(&mut self, _from: &mut Reader<'_>) {}
}

impl<T: Small> Pack for T {
    #[inline(always)]
    fn write(&self, out: &mut Writer<'_>) {
        let bits = self.pack(&out.form.config.tokens, &mut out.excess);
        out.stage(bits, T::WIDTH);
    }

    #[inline(always)]
    fn read(from: &mut Reader<'_>) -> Self {
        T::unpack(from.unstage(T::WIDTH), &from.form.config.tokens)
    }
}

/// The words of one packed state: as many as it needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Packed {
    words: [u64; MAX_WORDS],
    len: u8,
}

impl Packed {
    /// No words at all.
    pub(crate) const EMPTY: Packed = Packed { words: [0; MAX_WORDS], len: 0 };

    pub(crate) fn words(&self) -> &[u64] {
        &self.words[..usize::from(self.len)]
    }
}

/// More bits than [`MAX_STATE_BYTES`], or a part that is larger than its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DoesNotFit;

/// Puts bits one after another.
///
/// In two stages: the widths of fields are known when this is compiled, and so is where each stands among its neighbours;
/// only what stands behind something that is not always there has its place at run time. All of it is inlined, so what
/// `staged` is costs nothing, and a run of fields is put with one move.
pub(crate) struct Writer<'a> {
    pub(crate) form: &'a Form,
    out: &'a mut Packed,
    /// How many words are written, and would be if there were room.
    len: usize,
    stage: u64,
    staged: u32,
    /// The bits that do not fill a word yet, and how many they are: fewer than 64.
    last: u64,
    filled: u32,
    excess: u64,
}

impl<'a> Writer<'a> {
    /// Begins to write into `out`, over whatever is there.
    #[inline(always)]
    pub(crate) fn new(form: &'a Form, out: &'a mut Packed) -> Self {
        Self { form, out, len: 0, stage: 0, staged: 0, last: 0, filled: 0, excess: 0 }
    }

    /// Adds the lowest `width` bits, which is a constant and at least one; the others are zero.
    #[inline(always)]
    pub(crate) fn stage(&mut self, bits: u64, width: u32) {
        if self.staged + width > 64 {
            self.put_staged();
        }
        self.stage |= bits << self.staged;
        self.staged += width;
    }

    /// Whatever follows has its place at run time.
    #[inline(always)]
    pub(crate) fn put_staged(&mut self) {
        if self.staged > 0 {
            let (bits, width) = (self.stage, self.staged);
            (self.stage, self.staged) = (0, 0);
            self.put(bits, width);
        }
    }

    #[inline(always)]
    fn put(&mut self, bits: u64, width: u32) {
        self.last |= bits << self.filled;
        self.filled += width;
        if self.filled >= 64 {
            self.flush();
            self.filled -= 64;
            // All of the bits are in the word before if they end with it: a shift by their whole width is none.
            self.last = bits.checked_shr(width - self.filled).unwrap_or(0);
        }
    }

    /// Adds the lowest four bits of each version.
    #[inline(always)]
    pub(crate) fn versions<const N: usize>(&mut self, versions: &[Version; N]) {
        const { assert!(N <= 8, "their bytes make a word") };
        let mut bytes = [0; 8];
        for (byte, version) in bytes.iter_mut().zip(versions) {
            *byte = version.0;
        }
        let word = u64::from_le_bytes(bytes);
        self.excess |= word & 0xf0f0_f0f0_f0f0_f0f0;
        // All at once: every second half byte moves next to the one before it, then so do the pairs, then the fours.
        let word = (word | word >> 4) & 0x00ff_00ff_00ff_00ff;
        let word = (word | word >> 8) & 0x0000_ffff_0000_ffff;
        let word = (word | word >> 16) & 0x0000_0000_ffff_ffff;
        self.stage(word, N as u32 * 4);
    }

    /// Adds something that this configuration has besides, with its place at run time.
    #[inline(always)]
    pub(crate) fn add<T: Pack>(&mut self, item: &T) {
        item.write(self);
        item.write_more(self);
        self.put_staged();
    }

    /// The last word is written.
    ///
    /// # Errors
    /// Something did not fit, and what is written means nothing.
    #[inline(always)]
    pub(crate) fn finish(mut self) -> Result<(), DoesNotFit> {
        self.put_staged();
        if self.filled > 0 {
            self.flush();
        }
        if self.excess > 0 || self.len > MAX_WORDS {
            return Err(DoesNotFit);
        }
        self.out.len = self.len as u8;
        Ok(())
    }

    #[inline(always)]
    fn flush(&mut self) {
        if let Some(word) = self.out.words.get_mut(self.len) {
            *word = self.last;
        }
        self.len = self.len.wrapping_add(1);
    }
}

/// Takes bits in the order in which they were put, in the same two stages.
pub(crate) struct Reader<'a> {
    pub(crate) form: &'a Form,
    words: &'a [u64],
    /// Where the stage begins, in bits; whether it has been looked at; and how many of its bits are used up.
    next: u32,
    looked: bool,
    stage: u64,
    used: u32,
}

impl<'a> Reader<'a> {
    /// Begins to read `words`.
    #[inline(always)]
    pub(crate) fn new(form: &'a Form, words: &'a [u64]) -> Self {
        Self { form, words, next: 0, looked: false, stage: 0, used: 0 }
    }

    /// The next `width` bits, which is a constant and at least one, and above them anything.
    #[inline(always)]
    pub(crate) fn unstage(&mut self, width: u32) -> u64 {
        if !self.looked || self.used + width > 64 {
            self.next += self.used;
            (self.stage, self.used, self.looked) = (self.look(), 0, true);
        }
        let bits = self.stage >> self.used;
        self.used += width;
        bits
    }

    /// Whatever follows has its place at run time.
    #[inline(always)]
    pub(crate) fn end_stage(&mut self) {
        self.next += self.used;
        (self.used, self.looked) = (0, false);
    }

    /// The 64 bits from the next one on; zeros beyond the end.
    #[inline(always)]
    fn look(&self) -> u64 {
        let (word, shift) = ((self.next / 64) as usize, self.next % 64);
        let at = |word: usize| self.words.get(word).copied().unwrap_or(0);
        at(word) >> shift | at(word + 1).checked_shl(64 - shift).unwrap_or(0)
    }

    /// The versions of which so many were written.
    #[inline(always)]
    pub(crate) fn versions<const N: usize>(&mut self) -> [Version; N] {
        let word = low(self.unstage(N as u32 * 4), N as u32 * 4);
        let word = (word | word << 16) & 0x0000_ffff_0000_ffff;
        let word = (word | word << 8) & 0x00ff_00ff_00ff_00ff;
        let word = (word | word << 4) & 0x0f0f_0f0f_0f0f_0f0f;
        let bytes = word.to_le_bytes();
        std::array::from_fn(|index| Version(bytes[index]))
    }

    /// Something that this configuration has besides.
    #[inline(always)]
    pub(crate) fn take<T: Pack>(&mut self) -> T {
        let mut item = T::read(self);
        item.read_more(self);
        self.end_stage();
        item
    }
}

/// How many bits tell `count` things apart.
pub(crate) const fn bits_for(count: usize) -> u32 {
    usize::BITS - (count - 1).leading_zeros()
}

/// The largest of `numbers`.
pub(crate) const fn largest(numbers: &[u32]) -> u32 {
    let mut largest = 0;
    let mut index = 0;
    while index < numbers.len() {
        if numbers[index] > largest {
            largest = numbers[index];
        }
        index += 1;
    }
    largest
}

/// The lowest `width` bits of `bits`.
#[inline(always)]
pub(crate) const fn low(bits: u64, width: u32) -> u64 {
    if width >= 64 { bits } else { bits & ((1 << width) - 1) }
}

impl Small for bool {
    const WIDTH: u32 = 1;

    #[inline(always)]
    fn pack(self, _tokens: &Tokens, _excess: &mut u64) -> u64 {
        u64::from(self)
    }

    #[inline(always)]
    fn unpack(bits: u64, _tokens: &Tokens) -> Self {
        bits & 1 == 1
    }
}

/// A count: no more than 15 of anything.
impl Small for u8 {
    const WIDTH: u32 = 4;

    #[inline(always)]
    fn pack(self, _tokens: &Tokens, excess: &mut u64) -> u64 {
        let number = u64::from(self);
        *excess |= number >> Self::WIDTH;
        number
    }

    #[inline(always)]
    fn unpack(bits: u64, _tokens: &Tokens) -> Self {
        low(bits, Self::WIDTH) as u8
    }
}

impl<T: Small> Small for Option<T> {
    const WIDTH: u32 = 1 + T::WIDTH;

    #[inline(always)]
    fn pack(self, tokens: &Tokens, excess: &mut u64) -> u64 {
        match self {
            Some(value) => 1 << T::WIDTH | value.pack(tokens, excess),
            None => 0,
        }
    }

    #[inline(always)]
    fn unpack(bits: u64, tokens: &Tokens) -> Self {
        let some = bits >> T::WIDTH & 1 == 1;
        some.then(|| T::unpack(bits, tokens))
    }
}

/// Nothing takes a bit: no field is without a width.
impl Small for () {
    const WIDTH: u32 = 1;

    #[inline(always)]
    fn pack(self, _tokens: &Tokens, _excess: &mut u64) -> u64 {
        0
    }

    #[inline(always)]
    fn unpack(_bits: u64, _tokens: &Tokens) -> Self {}
}

/// A few of the same.
impl<T: Small, const N: usize> Small for [T; N] {
    const WIDTH: u32 = N as u32 * T::WIDTH;

    #[inline(always)]
    fn pack(self, tokens: &Tokens, excess: &mut u64) -> u64 {
        const { assert!(N as u32 * T::WIDTH <= 64, "small values have at most 64 bits") };
        self.into_iter().rev().fold(0, |bits, item| bits << T::WIDTH | item.pack(tokens, excess))
    }

    #[inline(always)]
    fn unpack(mut bits: u64, tokens: &Tokens) -> Self {
        std::array::from_fn(|_| {
            let item = T::unpack(bits, tokens);
            bits >>= T::WIDTH;
            item
        })
    }
}

/// Wrapped numbers. `Name = type < COUNT` takes as many bits as `COUNT` of them need: whatever makes them keeps to that.
/// `Name = type: width` takes so many bits, and a state in which one needs more does not fit.
macro_rules! pack_numbers {
    ($($name:ident = $number:ident $(: $width:literal)? $(< $count:expr)?,)+) => {
        $(impl $crate::explore::bits::Small for $name {
            const WIDTH: u32 = $($crate::explore::bits::bits_for($count))? $($width)?;

            #[inline(always)]
            #[allow(unused_variables, reason = "only those with a width of their own can be too large")]
            fn pack(self, _tokens: &$crate::epoch::Tokens, excess: &mut u64) -> u64 {
                let number = u64::from(self.0);
                $(debug_assert!(number < $count as u64, "{self:?} is within its limit");)?
                $(*excess |= number >> $width;)?
                number
            }

            #[inline(always)]
            fn unpack(bits: u64, _tokens: &$crate::epoch::Tokens) -> Self {
                Self($crate::explore::bits::low(bits, Self::WIDTH) as $number)
            }
        })+
    };
}

/// A struct of small fields.
macro_rules! pack_struct {
    ($name:ty { $($field:ident: $type:ty),+ $(,)? }) => {
        impl $crate::explore::bits::Small for $name {
            const WIDTH: u32 = 0 $(+ <$type as $crate::explore::bits::Small>::WIDTH)+;

            #[inline(always)]
            fn pack(self, tokens: &$crate::epoch::Tokens, excess: &mut u64) -> u64 {
                use $crate::explore::bits::Small;
                const { assert!(<$name as Small>::WIDTH <= 64, "small values have at most 64 bits") };
                let Self { $($field),+ } = self;
                let mut bits = 0;
                $(bits = bits << <$type as Small>::WIDTH | $field.pack(tokens, excess);)+
                bits
            }

            #[inline(always)]
            fn unpack(bits: u64, tokens: &$crate::epoch::Tokens) -> Self {
                use $crate::explore::bits::Small;
                let mut below = Self::WIDTH;
                $(
                    below -= <$type as Small>::WIDTH;
                    let $field = <$type as Small>::unpack(bits >> below, tokens);
                )+
                let _ = below;
                Self { $($field),+ }
            }
        }
    };
}

/// An enum whose variants hold small fields, named or not: `Variant { name: Type }`, `Variant(name: Type)`, `Variant`. The
/// bits are which variant it is, then its fields.
macro_rules! pack_enum {
    ($name:ident { $($variant:ident
        $({ $($field:ident: $type:ty),+ $(,)? })?
        $(( $($item:ident: $item_type:ty),+ $(,)? ))?
    ),+ $(,)? }) => {
        const _: () = {
            use $crate::explore::bits::{Small, bits_for, largest, low};

            #[derive(Clone, Copy)]
            enum Tag { $($variant),+ }
            const TAGS: [Tag; [$(stringify!($variant)),+].len()] = [$(Tag::$variant),+];
            const TAG_WIDTH: u32 = bits_for(TAGS.len());

            impl Small for $name {
                const WIDTH: u32 = TAG_WIDTH + largest(&[
                    $(0 $($(+ <$type as Small>::WIDTH)+)? $($(+ <$item_type as Small>::WIDTH)+)?),+
                ]);

                #[inline(always)]
                #[allow(unused_variables, reason = "not every enum has fields")]
                fn pack(self, tokens: &$crate::epoch::Tokens, excess: &mut u64) -> u64 {
                    const { assert!(<$name as Small>::WIDTH <= 64, "small values have at most 64 bits") };
                    match self {
                        $($name::$variant $({ $($field),+ })? $(( $($item),+ ))? => {
                            let bits = Tag::$variant as u64;
                            let unused = <$name as Small>::WIDTH - TAG_WIDTH;
                            $($(
                                let bits = bits << <$type as Small>::WIDTH | $field.pack(tokens, excess);
                                let unused = unused - <$type as Small>::WIDTH;
                            )+)?
                            $($(
                                let bits = bits << <$item_type as Small>::WIDTH | $item.pack(tokens, excess);
                                let unused = unused - <$item_type as Small>::WIDTH;
                            )+)?
                            bits << unused
                        })+
                    }
                }

                #[inline(always)]
                #[allow(unused_variables, reason = "not every enum has fields")]
                fn unpack(bits: u64, tokens: &$crate::epoch::Tokens) -> Self {
                    let below = <$name as Small>::WIDTH - TAG_WIDTH;
                    match TAGS[low(bits >> below, TAG_WIDTH) as usize] {
                        $(Tag::$variant => {
                            $($(
                                let below = below - <$type as Small>::WIDTH;
                                let $field = <$type as Small>::unpack(bits >> below, tokens);
                            )+)?
                            $($(
                                let below = below - <$item_type as Small>::WIDTH;
                                let $item = <$item_type as Small>::unpack(bits >> below, tokens);
                            )+)?
                            $name::$variant $({ $($field),+ })? $(( $($item),+ ))?
                        })+
                    }
                }
            }
        };
    };
}

/// A struct whose fields are written one after another, whatever they are: it may be longer than a word. A field
/// `field: (rest; use)` is written only where the configuration has that use of it; otherwise it holds `rest`.
macro_rules! pack_fields {
    ($name:ty { $($field:ident $(: ($rest:expr; $use:expr))?),+ $(,)? }) => {
        impl $crate::explore::bits::Pack for $name {
            #[inline(always)]
            fn write(&self, out: &mut $crate::explore::bits::Writer<'_>) {
                let Self { $($field),+ } = self;
                $($crate::explore::bits::pack_fields!(@write out $field $($use)?);)+
            }

            #[inline(always)]
            fn read(from: &mut $crate::explore::bits::Reader<'_>) -> Self {
                $(let $field = $crate::explore::bits::pack_fields!(@read from $($rest)?);)+
                Self { $($field),+ }
            }

            #[inline(always)]
            fn write_more(&self, out: &mut $crate::explore::bits::Writer<'_>) {
                let Self { $($field),+ } = self;
                $($crate::explore::bits::pack_fields!(@write_more out $field $($use)?);)+
            }

            #[inline(always)]
            fn read_more(&mut self, from: &mut $crate::explore::bits::Reader<'_>) {
                let Self { $($field),+ } = self;
                $($crate::explore::bits::pack_fields!(@read_more from $field $($use)?);)+
            }
        }
    };
    (@write $out:ident $field:ident) => { $crate::explore::bits::Pack::write($field, $out) };
    (@write $out:ident $field:ident $use:expr) => { let _ = $field; };
    (@read $from:ident) => { $crate::explore::bits::Pack::read($from) };
    (@read $from:ident $rest:expr) => { $rest };
    (@write_more $out:ident $field:ident) => { $crate::explore::bits::Pack::write_more($field, $out) };
    (@write_more $out:ident $field:ident $use:expr) => {
        if $out.form.has($use) {
            $out.add($field);
        }
    };
    (@read_more $from:ident $field:ident) => { $crate::explore::bits::Pack::read_more($field, $from) };
    (@read_more $from:ident $field:ident $use:expr) => {
        if $from.form.has($use) {
            *$field = $from.take();
        }
    };
}

pub(crate) use {pack_enum, pack_fields, pack_numbers, pack_struct};
