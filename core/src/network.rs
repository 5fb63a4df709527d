//! The messages in flight. Delivery in any order is free; losses are budgeted by the driver's configuration.

use crate::message::Message;

/// Most messages in flight at once.
pub const MAX_MESSAGES: usize = 8;

/// The messages in flight, in their own order, so that equal networks are equal values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Network {
    slots: [Option<Message>; MAX_MESSAGES],
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

    fn len(&self) -> usize {
        self.iter().count()
    }
}
