//! The newest of a contract's lists, page by page: open tables.

/// A page of a list: numbers with what they stand for, and the number at which the next page begins.
type Numbered<T> = (Vec<(u32, T)>, Option<u32>);

/// The newest of a list, each with its number, the newest first.
pub(crate) struct Newest<T> {
    pub(crate) all: Vec<(u32, T)>,
    /// The number at which the next page begins, if that is not the newest; none if there is no next page.
    pub(crate) next: Option<Option<u32>>,
    newest: Option<u32>,
    limit: usize,
}

impl<T> Newest<T> {
    /// At most `limit`, whose numbers are `newest` or below.
    pub(crate) const fn new(newest: Option<u32>, limit: usize) -> Self {
        Self {
            all: Vec::new(),
            next: if limit > 0 { Some(newest) } else { None },
            newest,
            limit,
        }
    }

    /// Adds a page with the number at which the next one begins. None: what the page would begin with is
    /// not open any more, so that it begins again at the newest.
    pub(crate) fn add(&mut self, page: Option<Numbered<T>>) {
        let Some((page, next)) = page else {
            self.next = Some(None);
            return;
        };
        let oldest = self.all.last().map(|(number, _)| *number);
        self.all.extend(page.into_iter().filter(|(number, _)| {
            oldest.is_none_or(|oldest| *number < oldest)
                && self.newest.is_none_or(|newest| *number <= newest)
        }));
        self.next = next.filter(|_| self.all.len() < self.limit).map(Some);
        self.all.truncate(self.limit);
    }
}
