//! Moves as text.
