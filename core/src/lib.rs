#![doc = include_str!("../docs/architecture.md")]
#![forbid(unsafe_code)]

pub mod command;
pub mod compare;
pub mod destination;
pub mod epoch;
pub mod event;
pub mod expect;
pub mod fact;
pub mod id;
pub mod invariant;
pub mod issuer;
pub mod mechanism;
pub mod message;
pub mod network;
pub mod observation;
pub mod plot;
pub mod program;
pub mod run;
pub mod scenario;
pub mod simulate;
pub mod story;
pub mod system;
pub mod time;
pub mod trace;
pub mod words;
pub mod worker;
