//! A connection that reads so much in a time.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Instant;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::rate::{Bucket, Rate};

/// A connection of which so many bytes are read in a time. If more come, it fails.
///
/// Messages are counted as well, but not everything that comes is one: frames may be without end, and
/// made of empty pieces.
pub struct Throttled<T> {
    inner: T,
    bytes: Bucket,
    is_on: Arc<AtomicBool>,
}

impl<T> Throttled<T> {
    /// The connection with this rate, in bytes, which counts while `is_on` is true.
    pub fn new(inner: T, rate: Rate, is_on: Arc<AtomicBool>) -> Self {
        Self {
            inner,
            bytes: Bucket::full(rate, Instant::now()),
            is_on,
        }
    }
}

impl<T: AsyncRead + Unpin> AsyncRead for Throttled<T> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.inner).poll_read(context, buffer);
        if let Poll::Ready(Ok(())) = polled {
            let read = buffer.filled().len().saturating_sub(before);
            let read = u64::try_from(read).unwrap_or(u64::MAX);
            if self.is_on.load(Ordering::Relaxed) && !self.bytes.take_many(read, Instant::now()) {
                return Poll::Ready(Err(io::ErrorKind::QuotaExceeded.into()));
            }
        }
        polled
    }
}

impl<T: AsyncWrite + Unpin> AsyncWrite for Throttled<T> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.inner).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffers: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.inner).poll_write_vectored(context, buffers)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(context)
    }
}
