#![no_std]
//! The rules of Connect Four.
