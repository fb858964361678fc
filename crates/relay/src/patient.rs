//! A connection that ends when the other side takes nothing.

use std::future::Future as _;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// A connection that fails once nothing that is sent on it was taken for a time.
///
/// Otherwise, who asks for something and does not read the answer keeps it in memory.
pub struct Patient<T> {
    inner: T,
    stall: Duration,
    /// The end of the patience, while something waits to be taken.
    waiting: Option<Pin<Box<Sleep>>>,
}

impl<T> Patient<T> {
    /// The connection, which fails after so much time.
    pub const fn new(inner: T, stall: Duration) -> Self {
        Self {
            inner,
            stall,
            waiting: None,
        }
    }

    /// The same result, unless the patience is at its end.
    fn wait<R>(
        &mut self,
        polled: Poll<io::Result<R>>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<R>> {
        if polled.is_ready() {
            self.waiting = None;
            return polled;
        }
        let stall = self.stall;
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(sleep(stall)));
        match waiting.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl<T: AsyncRead + Unpin> AsyncRead for Patient<T> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_read(context, buffer)
    }
}

impl<T: AsyncWrite + Unpin> AsyncWrite for Patient<T> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.inner).poll_write(context, bytes);
        self.wait(polled, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffers: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.inner).poll_write_vectored(context, buffers);
        self.wait(polled, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let polled = Pin::new(&mut self.inner).poll_flush(context);
        self.wait(polled, context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let polled = Pin::new(&mut self.inner).poll_shutdown(context);
        self.wait(polled, context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, duplex};

    use super::*;

    #[tokio::test]
    async fn who_takes_nothing_is_left() {
        let (ours, mut theirs) = duplex(8);
        let mut ours = Patient::new(ours, Duration::from_millis(10));
        ours.write_all(&[1; 8]).await.expect("there is place");
        let mut taken = [0; 8];
        theirs.read_exact(&mut taken).await.expect("it was sent");
        ours.write_all(&[2; 8]).await.expect("there is place again");
        let error = ours.write_all(&[3; 8]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }

    #[tokio::test]
    async fn who_takes_something_in_time_is_not() {
        let (ours, mut theirs) = duplex(8);
        let mut ours = Patient::new(ours, Duration::MAX);
        let sending = tokio::spawn(async move { ours.write_all(&[7; 64]).await });
        let mut taken = [0; 64];
        theirs.read_exact(&mut taken).await.expect("all of it");
        sending.await.expect("no panic").expect("sent");
    }
}
