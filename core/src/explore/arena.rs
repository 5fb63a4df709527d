//! Where packed states lie, one after another, each with how the search came to it.

use super::bits::MAX_WORDS;

/// Words of a segment. The arena grows by segments, so that growing copies nothing and takes no more than is needed.
const SEGMENT: usize = 1 << 13;

/// Words of the largest record.
const MAX_RECORD: usize = 1 + MAX_WORDS;

/// A state in an [`Arena`]: where its record begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place(u32);

/// How a search came to a state: from where, and by which of the choices there were, in the order of
/// [`crate::system::State::enabled`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Origin {
    pub(super) parent: Place,
    pub(super) choice: u16,
}

/// A record is one word (the origin, and how many words follow) and the packed state. None crosses from one segment to
/// another: where the largest would, the next segment begins.
#[derive(Debug)]
pub(super) struct Arena {
    segments: Vec<Box<[u64; SEGMENT]>>,
    end: Place,
}

impl Arena {
    /// The most bytes that places can tell apart.
    pub(super) const MAX_BYTES: u64 = 8 << 32;

    pub(super) fn new() -> Self {
        Self { segments: Vec::new(), end: Place::FIRST }
    }

    /// Where the next state will lie.
    pub(super) fn end(&self) -> Place {
        self.end
    }

    /// Adds a state, at the end. The first one has no origin.
    pub(super) fn push(&mut self, origin: Option<Origin>, words: &[u64]) {
        let place = self.end;
        let (segment, within) = place.split();
        if segment == self.segments.len() {
            self.segments.push(vec![0; SEGMENT].into_boxed_slice().try_into().expect("it is as long as a segment"));
        }
        let Origin { parent, choice } = origin.unwrap_or(Origin { parent: place, choice: 0 });
        let record = &mut self.segments[segment][within..][..=words.len()];
        record[0] = u64::from(parent.0) << 32 | u64::from(choice) << 16 | words.len() as u64;
        record[1..].copy_from_slice(words);
        self.end = place.after(words.len());
    }

    /// The packed state at `place`.
    #[inline]
    pub(super) fn words(&self, place: Place) -> &[u64] {
        let (segment, within) = place.split();
        let record = &self.segments[segment][within..];
        &record[1..][..(record[0] & 0xffff) as usize]
    }

    /// How the search came to the state at `place`; none for the first one.
    pub(super) fn origin(&self, place: Place) -> Option<Origin> {
        let (segment, within) = place.split();
        let head = self.segments[segment][within];
        let origin = Origin { parent: Place((head >> 32) as u32), choice: (head >> 16) as u16 };
        (origin.parent != place).then_some(origin)
    }

    /// The place after `place`.
    pub(super) fn after(&self, place: Place) -> Place {
        place.after(self.words(place).len())
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.segments.len() * SEGMENT * 8
    }
}

impl Place {
    /// Where the first state lies.
    pub(super) const FIRST: Place = Place(0);

    /// As a number.
    pub(super) fn number(self) -> u32 {
        self.0
    }

    /// The place that has this number.
    pub(super) fn from_number(number: u32) -> Self {
        Place(number)
    }

    #[inline(always)]
    fn split(self) -> (usize, usize) {
        (self.0 as usize / SEGMENT, self.0 as usize % SEGMENT)
    }

    fn after(self, words: usize) -> Place {
        let (segment, within) = self.split();
        let next = within + 1 + words;
        let next = if next + MAX_RECORD > SEGMENT { (segment + 1) * SEGMENT } else { segment * SEGMENT + next };
        Place(u32::try_from(next).expect("a search stops long before places run out"))
    }
}
