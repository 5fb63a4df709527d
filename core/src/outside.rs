//! What an operation brings about outside the destination: a mail, a payment, a published file. No transaction reaches it.

use crate::epoch::{Claim, Token};
use crate::id::{OperationId, OperationSet};
use crate::mechanism::{Effect, EffectOutcome, Key, Mechanism, Switched};

/// The world outside, as far as it remembers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Outside {
    /// The payments that the provider can tell of: an operation is its own key, and the reference that a payment bears
    /// where there is no key.
    pub(crate) keys: OperationSet,
    /// The file that the reference points to.
    pub(crate) published: Option<Published>,
}

/// A published file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Published {
    /// The token under which the reference was switched to it.
    pub token: Token,
    /// The operation that wrote it.
    pub operation: OperationId,
}

/// What became of a wish for an effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It came about.
    Effected,
    /// It had come about before; the answer is the first one again.
    Repeated,
    /// One of a higher epoch stands.
    Refused,
}

impl Outside {
    /// Brings the effect of `operation` about, or not.
    pub fn carry_out(&mut self, mechanism: &Mechanism, claim: Claim, operation: OperationId) -> Outcome {
        match mechanism.effect {
            Effect::None | Effect::Mail => Outcome::Effected,
            Effect::Payment => {
                // Without a key, what it remembers is of use to who asks, and keeps nobody from paying again.
                let remembers = mechanism.key != Key::Off || mechanism.effect_outcome == EffectOutcome::LookedUp;
                let new = !remembers || self.keys.insert(operation);
                if new || mechanism.key == Key::Off { Outcome::Effected } else { Outcome::Repeated }
            }
            Effect::File => {
                if self.published.is_some_and(|published| published.operation == operation) {
                    return Outcome::Repeated;
                }
                if mechanism.switched == Switched::Conditionally && !self.is_clear(mechanism, claim) {
                    return Outcome::Refused;
                }
                self.published = Some(Published { token: claim.epoch, operation });
                Outcome::Effected
            }
        }
    }

    /// Whether the provider can tell of a payment for `operation`. One that is still on its way it knows nothing of.
    pub fn look_up(&self, operation: OperationId) -> bool {
        self.keys.contains(operation)
    }

    /// Whether no file of a higher epoch is published.
    pub fn is_clear(&self, mechanism: &Mechanism, claim: Claim) -> bool {
        self.published.is_none_or(|published| mechanism.orders(claim.epoch, published.token).is_ge())
    }

    /// The keys that the provider may forget.
    pub fn keys(&self, mechanism: &Mechanism) -> impl Iterator<Item = OperationId> + use<> {
        let keys = if mechanism.key == Key::Pruned { self.keys } else { OperationSet::default() };
        keys.iter()
    }

    /// The provider forgets a key.
    pub fn prune(&mut self, operation: OperationId) {
        self.keys.remove(operation);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fact::by_hand::claim;

    const OPERATION: OperationId = OperationId(0);

    #[test]
    fn a_key_makes_a_repeat_the_same_payment_until_it_is_forgotten() {
        let (a, b) = (claim(0, 33), claim(1, 34));
        for (key, expected) in [
            (Key::Off, [Outcome::Effected, Outcome::Effected, Outcome::Effected]),
            (Key::Kept, [Outcome::Effected, Outcome::Repeated, Outcome::Repeated]),
            (Key::Pruned, [Outcome::Effected, Outcome::Repeated, Outcome::Effected]),
        ] {
            let mechanism = Mechanism { effect: Effect::Payment, key, ..Mechanism::UNGUARDED };
            let mut outside = Outside::default();
            let first = outside.carry_out(&mechanism, a, OPERATION);
            let second = outside.carry_out(&mechanism, b, OPERATION);
            if outside.keys(&mechanism).any(|kept| kept == OPERATION) {
                outside.prune(OPERATION);
            }
            assert_eq!([first, second, outside.carry_out(&mechanism, a, OPERATION)], expected, "{key:?}");
        }
    }

    #[test]
    fn a_payment_is_found_from_when_it_is_made_until_it_is_forgotten() {
        let claim = claim(0, 33);
        for key in [Key::Off, Key::Kept, Key::Pruned] {
            let effect_outcome = EffectOutcome::LookedUp;
            let mechanism = Mechanism { effect: Effect::Payment, key, effect_outcome, ..Mechanism::UNGUARDED };
            let mut outside = Outside::default();
            let mut found = vec![outside.look_up(OPERATION)];
            assert_eq!(outside.carry_out(&mechanism, claim, OPERATION), Outcome::Effected);
            found.extend([outside.look_up(OPERATION), outside.look_up(OperationId(1))]);
            for kept in outside.keys(&mechanism) {
                outside.prune(kept);
            }
            found.push(outside.look_up(OPERATION));
            assert_eq!(found, [false, true, false, key != Key::Pruned], "{key:?}");
            // Having been asked does not make a key of a reference.
            let repeated = if key == Key::Kept { Outcome::Repeated } else { Outcome::Effected };
            assert_eq!(outside.carry_out(&mechanism, claim, OPERATION), repeated, "{key:?}");
        }
    }

    #[test]
    fn a_file_is_switched_back_unless_the_switch_itself_compares() {
        let (a, b) = (claim(0, 33), claim(1, 34));
        for (switched, expected) in [
            (Switched::Unconditionally, Outcome::Effected),
            (Switched::Conditionally, Outcome::Refused),
            (Switched::InTwoSteps, Outcome::Effected),
        ] {
            let mechanism = Mechanism { effect: Effect::File, switched, ..Mechanism::UNGUARDED };
            let mut outside = Outside::default();
            assert_eq!(outside.carry_out(&mechanism, b, OperationId(2)), Outcome::Effected);
            assert_eq!(outside.carry_out(&mechanism, b, OperationId(2)), Outcome::Repeated);
            assert_eq!(outside.carry_out(&mechanism, a, OPERATION), expected, "{switched:?}");
        }
    }
}
