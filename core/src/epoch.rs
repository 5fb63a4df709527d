//! Ownership generations as numbers: what the issuer hands out with a grant.

use std::cmp::Ordering;
use std::fmt;

use serde::{Deserialize, Serialize, Serializer};

use crate::id::GrantId;

/// The number that a sound issuer hands out with a grant (fencing token): it increases with each grant.
///
/// There is no conversion from a time or a random number, and no default: an [`EpochAllocator`] makes epochs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Epoch(u64);

impl Epoch {
    /// The number, for showing it.
    pub fn number(self) -> u64 {
        self.0
    }
}

/// Whatever number an issuer hands out with a grant. A sound issuer's are [`Epoch`]s; others hand out the time, random
/// numbers or a counter that begins again, and a destination cannot see the difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(transparent)]
pub struct Token(u64);

impl Token {
    /// The number, for showing it.
    pub fn number(self) -> u64 {
        self.0
    }

    /// A token that is no epoch: nothing keeps it from being lower than one before it.
    pub fn unsound(number: u64) -> Self {
        Token(number)
    }

    /// How this token compares with `other` as text, character by character: 10 comes before 9.
    pub fn cmp_as_text(self, other: Token) -> Ordering {
        self.0.to_string().cmp(&other.0.to_string())
    }
}

impl From<Epoch> for Token {
    fn from(epoch: Epoch) -> Token {
        Token(epoch.0)
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// As a 128-bit integer: the same digits in JSON, and a `BigInt` in JavaScript whatever the size, so that no token is
/// ever rounded to a double.
impl Serialize for Token {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u128(self.0.into())
    }
}

/// A grant as it is claimed in a message: its identity and its token, which only ever travel together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Claim {
    /// Which grant.
    pub grant: GrantId,
    /// The token handed out with it: the epoch, where the issuer is sound.
    pub epoch: Token,
}

/// A sound issuer's counter: the only maker of epochs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct EpochAllocator {
    next: u64,
}

impl EpochAllocator {
    /// A counter whose first epoch is `first`.
    pub fn starting_at(first: u64) -> Self {
        Self { next: first }
    }

    /// The next epoch; none is handed out twice.
    pub fn allocate(&mut self) -> Epoch {
        let epoch = Epoch(self.next);
        self.next = self.next.checked_add(1).expect("a scenario's first epoch leaves room for its grants");
        epoch
    }
}

/// A token by its place among those that a run can hand out. A state holds places, and so do messages: small, whatever
/// the numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TokenPlace(pub u8);

/// Most tokens that a run can hand out: grants, and requests that have one made and come to nothing.
pub const MAX_TOKENS: usize = 16;

/// The tokens that a run hands out, in the order in which a counter would.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Tokens([Token; MAX_TOKENS]);

impl Tokens {
    /// A sound counter's.
    pub fn counted_from(first: u64) -> Self {
        let mut allocator = EpochAllocator::starting_at(first);
        Tokens([(); MAX_TOKENS].map(|()| allocator.allocate().into()))
    }

    /// Those of a counter that begins again at 0 after `last`.
    pub fn wrapping(first: u64, last: u64) -> Self {
        let mut next = first;
        Tokens([(); MAX_TOKENS].map(|()| {
            let token = Token::unsound(next);
            next = if next >= last { 0 } else { next + 1 };
            token
        }))
    }

    /// These numbers, in this order.
    pub fn listed(numbers: [u64; MAX_TOKENS]) -> Self {
        Tokens(numbers.map(Token::unsound))
    }

    /// The place at which `token` stands, if there is one; if there are several, always the same one.
    #[inline]
    pub fn place_of(&self, token: Token) -> Option<TokenPlace> {
        // Where a sound counter's stand, which is found at once.
        let counted = token.0.wrapping_sub(self.0[0].0);
        if let Some(place) = usize::try_from(counted).ok().filter(|place| self.0.get(*place) == Some(&token)) {
            return Some(TokenPlace(place as u8));
        }
        self.0.iter().position(|there| *there == token).map(|place| TokenPlace(place as u8))
    }

    /// The token at `place`.
    pub fn at(&self, place: TokenPlace) -> Token {
        self.0[usize::from(place.0)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_text_ten_comes_before_nine() {
        let (nine, ten) = (Token::unsound(9), Token::unsound(10));
        assert!(nine < ten);
        assert_eq!(nine.cmp_as_text(ten), Ordering::Greater);
    }

    #[test]
    fn a_counter_of_two_bits_begins_again() {
        let tokens = Tokens::wrapping(2, 3);
        let numbers = [0, 1, 2, 3, 4, 5].map(|place| tokens.at(TokenPlace(place)).number());
        assert_eq!(numbers, [2, 3, 0, 1, 2, 3]);
    }
}
