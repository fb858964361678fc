//! Consent to a payment: by the command line, else by an answer at a terminal.

use connect4_client::Token;

use crate::failure::Failure;
use crate::input::Lines;
use crate::output::Output;
use crate::play::is_yes;

/// What is asked before something is paid.
pub struct Consent<'a> {
    /// What is paid, such as `the stake`.
    pub what: &'a str,
    pub in_words: String,
    /// The amount in the token's smallest unit.
    pub amount: u128,
    pub token: &'a Token,
    /// The question, without how it is answered.
    pub question: String,
    /// The most that the command line agrees to.
    pub most: Option<&'a str>,
    /// The option that says so.
    pub most_option: &'a str,
    /// What `--yes` agrees to.
    pub all: &'a str,
    pub yes: bool,
}

impl Consent<'_> {
    /// Whether it is given.
    pub async fn given(&self, out: &mut Output) -> Result<bool, Failure> {
        let Self { what, in_words, .. } = self;
        if let Some(most) = self.most {
            let most = self.token.parse(most);
            let most = most.map_err(|error| Failure::Usage(error.to_string()))?;
            if self.amount > most {
                return Err(Failure::Refused(format!(
                    "{what} is {in_words}, more than the {} of {}",
                    self.token.amount(most),
                    self.most_option
                )));
            }
            return Ok(true);
        }
        if self.amount == 0 || self.yes {
            return Ok(true);
        }
        if !out.is_terminal() {
            return Err(Failure::Usage(format!(
                "{what} is {in_words}, and without a terminal the program cannot ask: agree to it \
                 by {}, or to {} by --yes",
                self.most_option, self.all
            )));
        }
        let question = format!("{} [y/N] ", self.question);
        out.question(&question)?;
        let answer = Lines::one().await?;
        out.answered(&answer)?;
        Ok(is_yes(&answer))
    }
}
