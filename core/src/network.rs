//! The messages in flight. Delivery in any order is free; losses are budgeted by the driver's configuration.

use crate::message::Message;

/// Most messages in flight at once.
pub const MAX_MESSAGES: usize = 8;

/// The messages in flight, in their own order, so that equal networks are equal values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Network {
    pub(crate) slots: [Option<Message>; MAX_MESSAGES],
}

/// More messages would be in flight than [`MAX_MESSAGES`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Full;

impl Network {
    /// Puts `message` on its way.
    ///
    /// # Errors
    /// [`Full`] when there is no room; the network is then unchanged.
    pub fn send(&mut self, message: Message) -> Result<(), Full> {
        let len = self.len();
        if len == MAX_MESSAGES {
            return Err(Full);
        }
        let place = self.iter().take_while(|&held| held <= message).count();
        self.slots.copy_within(place..len, place + 1);
        self.slots[place] = Some(message);
        Ok(())
    }

    /// Takes `message` out, delivered or lost.
    ///
    /// # Panics
    /// If it is not in flight: a driver may only choose what is enabled.
    pub fn take(&mut self, message: Message) {
        let place = self.iter().position(|held| held == message).expect("only a message in flight can be taken out");
        self.slots.copy_within(place + 1.., place);
        self.slots[MAX_MESSAGES - 1] = None;
    }

    /// The messages in flight, in their fixed order.
    pub fn iter(&self) -> impl Iterator<Item = Message> + '_ {
        self.slots.iter().map_while(|slot| *slot)
    }

    /// The messages in flight, equal ones once: it is all one which of them arrives.
    pub fn distinct(&self) -> impl Iterator<Item = Message> + '_ {
        let mut last = None;
        self.iter().filter(move |message| last.replace(*message) != Some(*message))
    }

    fn len(&self) -> usize {
        self.iter().count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::{Attempt, GrantId, WorkerId};
    use crate::message::{Call, Request};

    fn message(attempt: u8) -> Message {
        let call = Call::Register { grant: GrantId(0) };
        Message::Request(Request { worker: WorkerId(0), attempt: Attempt(attempt), call })
    }

    #[test]
    fn what_is_in_flight_counts_and_not_how_it_came_there() {
        let (mut one, mut other) = (Network::default(), Network::default());
        for attempt in [3, 1, 2] {
            one.send(message(attempt)).expect("there is room");
        }
        for attempt in [2, 3, 4, 1] {
            other.send(message(attempt)).expect("there is room");
        }
        other.take(message(4));
        assert_eq!(one, other);
        assert_eq!(one.iter().collect::<Vec<_>>(), [message(1), message(2), message(3)]);
    }

    #[test]
    fn a_full_network_takes_no_more_and_keeps_what_it_has() {
        let mut network = Network::default();
        for _ in 0..MAX_MESSAGES {
            network.send(message(1)).expect("there is room");
        }
        let before = network;
        assert_eq!(network.send(message(2)), Err(Full));
        assert_eq!(network, before);
    }
}
