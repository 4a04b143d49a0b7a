//! Which numbers of a workspace can send a template. A template exists in one or more WABAs, a number belongs to one, and
//! the channel looks for the template in the WABA of the number (upstream §7, 132001). Where either is unknown, the number
//! can be used.

use std::fmt::Display;

use command_types::send::FormNumber;
use command_types::workspace::{SendingNumber, WorkspaceSettings};
use model::send::{SendProblem, SendProblemCode};
use model::vocabulary::TemplateStatus;

use super::{SendPlan, TEMPLATE};

/// Field of the problems.
const FIELD: &str = "number";

/// The problem of a number that the workspace does not list, or no longer. A workspace that lists none sends from any.
pub fn unlisted_number(settings: &WorkspaceSettings, number: &str) -> Option<SendProblem> {
    let is_unlisted = !number.trim().is_empty() && !settings.sends_from(number);
    is_unlisted.then(|| SendProblem::new(FIELD, SendProblemCode::NumberUnknown, &[]))
}

impl SendPlan {
    /// The numbers of the workspace, each with the problem that it has with the template.
    pub fn form_numbers(&self) -> Vec<FormNumber> {
        let choice = |number: &SendingNumber| FormNumber {
            id: number.id.clone(),
            label: number.label.clone(),
            problem: self.account_problem(number),
        };
        self.settings.numbers.iter().map(choice).collect()
    }

    /// The number to start with: one whose WABA has the template, else one that may have it, else the first.
    pub fn first_number(&self) -> &str {
        let numbers = &self.settings.numbers;
        let mut usable = numbers.iter().filter(|number| self.account_problem(number).is_none());
        let known = usable.clone().find(|number| self.wabas.contains(&number.waba_id));
        known.or_else(|| usable.next()).or(numbers.first()).map_or("", |number| number.id.as_str())
    }

    /// The problem of a template that no number of the workspace can send; `None` if there are no numbers.
    pub fn no_number(&self) -> Option<SendProblem> {
        let numbers = &self.settings.numbers;
        if numbers.is_empty() || numbers.iter().any(|number| self.account_problem(number).is_none()) {
            return None;
        }
        let reported = self.waba_statuses.iter().map(|of| &of.waba).filter(|_| self.wabas.is_empty());
        let usable = self.wabas.iter().chain(reported).filter(|waba| self.unsendable_status(waba).is_none());
        let accounts = self.account_names(usable);
        Some(SendProblem::new(TEMPLATE, SendProblemCode::TemplateNoNumber, &[("accounts", &accounts)]))
    }

    /// The problem of the number that a request names; `None` for numbers that the workspace does not list
    /// ([`unlisted_number`]).
    pub(super) fn number_problem(&self, number: &str) -> Option<SendProblem> {
        let number = self.settings.numbers.iter().find(|known| known.id == number.trim())?;
        self.account_problem(number)
    }

    fn account_problem(&self, number: &SendingNumber) -> Option<SendProblem> {
        let waba = &number.waba_id;
        if waba.is_empty() {
            return None;
        }
        if !self.wabas.is_empty() && !self.wabas.contains(waba) {
            let accounts = self.account_names(&self.wabas);
            let values: [(&str, &dyn Display); 2] = [("number", &number.name()), ("accounts", &accounts)];
            return Some(SendProblem::new(FIELD, SendProblemCode::NumberAccount, &values));
        }
        let status = self.unsendable_status(waba)?;
        let account = self.settings.waba_name(waba);
        let values: [(&str, &dyn Display); 3] =
            [("number", &number.name()), ("account", &account), ("status", &status)];
        Some(SendProblem::new(FIELD, SendProblemCode::NumberAccountStatus, &values))
    }

    /// The status of the template in a WABA, if it cannot be sent from there.
    fn unsendable_status(&self, waba: &str) -> Option<&str> {
        let of = self.waba_statuses.iter().find(|of| of.waba == waba)?;
        (!TemplateStatus::from(of.status.as_str()).is_sendable()).then_some(of.status.as_str())
    }

    fn account_names<'a>(&'a self, wabas: impl IntoIterator<Item = &'a String>) -> String {
        wabas.into_iter().map(|waba| self.settings.waba_name(waba)).collect::<Vec<_>>().join(", ")
    }
}
