//! The address book of a workspace.

mod by_number;
mod columns;
mod export;
mod import;
mod rows;

use std::collections::{BTreeMap, HashSet};

use model::saved_reply::first_name;
use model::send::{SendProblem, SendProblemCode};
use store::cache::{ContactFilter, searched_digits};
use store::desk::{self, RecipientResult};

pub(super) use self::by_number::RecipientsByNumber;
pub(super) use self::import::RecipientImports;
use self::rows::{by_lower_case, is_longer, one_line};
use crate::chats;
use crate::contact_names::{has_words, names};
use crate::messaging::Messaging;
use crate::opt_outs::opt_outs;
use command_types::Nothing;
use command_types::conversations::ListedPeople;
use command_types::error::{DeskError, InputFault, Missing, Result};
use command_types::recipients::{
    CheckRecipient, DeleteRecipients, LabelCount, Recipient, RecipientCheck, RecipientList, RecipientQuery,
    SaveRecipient,
};
use command_types::send::{KnownNumber, RecentContact, RecipientFacts};
use command_types::workspace::{Country, WorkspaceId};
use outgoing::recipient::{self, NumberCountry, alternative_numbers, with_ninth_digit};
use outgoing::{now, to_json};

/// Maximum length of a name, in characters.
const MAX_NAME_LENGTH: usize = 120;
/// Maximum length of a label, in characters.
const MAX_LABEL_LENGTH: usize = 40;
/// Maximum number of labels of one recipient.
const MAX_LABELS: usize = 20;
/// Maximum length of a note, in characters.
const MAX_NOTE_LENGTH: usize = 2_000;
const MAX_RECENT: usize = 12;
/// Maximum number of pages of contacts that are read for them.
const MAX_RECENT_PAGES: usize = 5;
/// Fields of a recipient that can fill the values of a message.
pub(super) const FIELDS: [&str; 5] = ["name", "firstName", "number", "labels", "note"];

impl Messaging {
    pub async fn list_recipients(&self, query: RecipientQuery) -> Result<RecipientList> {
        let everyone = self.0.context.desk.recipients(&query.workspace).await?;
        let settings = self.0.workspaces.settings(&query.workspace).await?;
        let opt_outs = opt_outs(&self.0.context, &query.workspace, settings, None).await?;
        outgoing::compute::blocking(move || {
            let mut listed = list(everyone, &query);
            listed.rows.iter_mut().for_each(|row| row.stopped_marketing = opt_outs.has_stopped(&row.number));
            listed
        })
        .await
    }

    /// The people of the newest messages in either direction, newest first, each once.
    pub async fn list_recent_contacts(&self, request: WorkspaceId) -> Result<Vec<RecentContact>> {
        let workspace = request.workspace;
        let settings = self.0.workspaces.settings(&workspace).await?;
        let context = &self.0.context;
        let mut filter =
            ContactFilter { route: workspace.clone(), limit: MAX_RECENT as u32, ..ContactFilter::default() };
        let mut numbers: Vec<String> = Vec::new();
        for _ in 0..MAX_RECENT_PAGES {
            let (chats, next) = chats::recent(context, &[], filter.clone(), ListedPeople::Everyone).await?;
            let contacts = chats.into_iter().map(|chat| chat.contact);
            numbers.extend(contacts.filter(|contact| settings.can_send_to(contact)));
            if numbers.len() >= MAX_RECENT || next.is_none() {
                break;
            }
            filter.after = next;
        }
        numbers.truncate(MAX_RECENT);
        let mut names = names(context, &workspace, &numbers).await?;
        let contact = |number: String| RecentContact {
            formatted: recipient::formatted(&number),
            name: names.remove(&number),
            number,
        };
        Ok(numbers.into_iter().map(contact).collect())
    }

    /// The countries that numbers can be of, by their codes.
    pub async fn list_countries(&self, _request: Nothing) -> Result<Vec<Country>> {
        Ok(recipient::countries())
    }

    /// How a number is read, and its problems, while it is being typed.
    pub async fn check_recipient(&self, request: CheckRecipient) -> Result<RecipientCheck> {
        let settings = self.0.workspaces.settings(&request.workspace).await?;
        let country = NumberCountry::of(request.country.as_deref(), &settings);
        let (recipient, problem) = recipient::check_recipient(&request.number, country);
        Ok(RecipientCheck { recipient, problems: problem.into_iter().collect() })
    }

    /// Adds or changes a recipient, or restores a deleted one.
    pub async fn save_recipient(&self, request: SaveRecipient) -> Result<Recipient> {
        let settings = self.0.workspaces.settings(&request.workspace).await?;
        let name = line("name", &request.name, MAX_NAME_LENGTH)?;
        // People of a file may have no name: they can be changed, and restored.
        if name.is_empty() && request.id.is_none() {
            return Err(DeskError::at_fault("name", InputFault::NameMissing {}));
        }
        let (facts, problem) =
            recipient::check_recipient(&request.number, NumberCountry::of(request.country.as_deref(), &settings));
        if let Some(problem) = problem.filter(|problem| problem.is_error()) {
            return Err(DeskError::of_problem(&SendProblem { field: "number".to_owned(), ..problem }));
        }
        let number = facts.digits.unwrap_or_default();
        let note = request.note.trim();
        if is_longer(note, MAX_NOTE_LENGTH) {
            return Err(DeskError::at_fault("note", InputFault::TooLong { limit: MAX_NOTE_LENGTH as u32 }));
        }
        let id = request.id.unwrap_or_else(|| uuid::Uuid::new_v4().to_string());
        if let Some(known) = self.0.context.desk.recipient(&id).await?
            && known.workspace_id != request.workspace
        {
            return Err(DeskError::not_found(Missing::Recipient));
        }
        if let Some(other) = self.other_with_number(&request.workspace, &id, &number).await? {
            return Err(number_taken(other));
        }
        let at = now();
        let written = self
            .0
            .context
            .desk
            .upsert_recipient(desk::Recipient {
                id: id.clone(),
                workspace_id: request.workspace,
                name,
                number,
                labels: to_json(&labels(&request.labels)?)?,
                note: note.to_owned(),
                created_at: at,
                updated_at: at,
                last_sent_at: None,
            })
            .await?;
        if let RecipientResult::Taken(other) = written {
            return Err(number_taken(other));
        }
        let known = self.0.context.desk.recipient(&id).await?;
        known.map(shown).ok_or_else(|| DeskError::not_found(Missing::Recipient))
    }

    /// Takes the warning back that a number may not be on the channel, if its person wrote: many landlines are.
    pub(super) async fn allow_known(
        &self,
        workspace: &str,
        recipient: &RecipientFacts,
        problems: &mut Vec<SendProblem>,
    ) {
        let (true, Some(digits)) = (problems.iter().any(may_be_unreachable), recipient.digits.as_deref()) else {
            return;
        };
        if !self.who_wrote(workspace, &alternative_numbers(digits)).await.is_empty() {
            problems.retain(|problem| !may_be_unreachable(problem));
        }
    }

    /// Which of these numbers wrote. None where that cannot be read: a send does not wait for it.
    pub(super) async fn who_wrote(&self, workspace: &str, numbers: &[String]) -> HashSet<String> {
        if numbers.is_empty() {
            return HashSet::new();
        }
        let wrote = self.0.context.cache.contacts_of(workspace, None, numbers).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "whether people wrote cannot be read");
            Vec::new()
        });
        wrote.into_iter().map(|known| known.contact).collect()
    }

    /// The person who is probably meant by a number that lacks its ninth digit: one who wrote with the whole number, or
    /// has it in the address book, unless the same is true of the number as it was typed.
    /// A send does not wait for it where it cannot be read.
    pub(super) async fn number_with_ninth_digit(&self, workspace: &str, typed: &RecipientFacts) -> Option<KnownNumber> {
        let typed = typed.digits.as_deref()?;
        let known = self.known_number(workspace, typed, with_ninth_digit(typed)?).await;
        known.unwrap_or_else(|error| {
            tracing::warn!(%error, "people with a similar number cannot be read");
            None
        })
    }

    /// A known number, unless `typed` is one too.
    async fn known_number(&self, workspace: &str, typed: &str, digits: String) -> Result<Option<KnownNumber>> {
        let both = [typed.to_owned(), digits.clone()];
        let context = &self.0.context;
        let wrote = context.cache.contacts_of(workspace, None, &both).await?.into_iter().map(|known| known.contact);
        let book = context.desk.recipient_names(workspace, &both).await?.into_iter().map(|(number, _)| number);
        let known: HashSet<String> = wrote.chain(book).collect();
        if known.contains(typed) || !known.contains(&digits) {
            return Ok(None);
        }
        let name = names(context, workspace, std::slice::from_ref(&digits)).await?.remove(&digits);
        Ok(Some(KnownNumber { formatted: recipient::formatted(&digits), digits, name }))
    }

    /// Another recipient with this number in its other spelling.
    async fn other_with_number(&self, workspace: &str, id: &str, number: &str) -> Result<Option<desk::Recipient>> {
        let spellings = alternative_numbers(number);
        if spellings.len() < 2 {
            return Ok(None);
        }
        let everyone = self.0.context.desk.recipients(workspace).await?;
        Ok(everyone.into_iter().find(|other| other.id != id && spellings.contains(&other.number)))
    }

    /// Deletes recipients. Sends to them are kept.
    pub async fn delete_recipients(&self, request: DeleteRecipients) -> Result<Nothing> {
        self.0.context.desk.delete_recipients(&request.workspace, request.ids).await?;
        Ok(Nothing {})
    }
}

/// Whether a problem says that a number may not be on the channel.
pub(super) fn may_be_unreachable(problem: &SendProblem) -> bool {
    problem.code == SendProblemCode::ToKind
}

fn number_taken(other: desk::Recipient) -> DeskError {
    let name = if other.name.is_empty() { recipient::formatted(&other.number) } else { other.name };
    DeskError::at_fault("number", InputFault::NumberTaken { name })
}

fn list(everyone: Vec<desk::Recipient>, query: &RecipientQuery) -> RecipientList {
    let wanted = Wanted::of(query);
    let mut labels: BTreeMap<(String, String), u32> = BTreeMap::new();
    let mut rows = Vec::new();
    for recipient in everyone {
        let own = labels_of(&recipient);
        if wanted.has(&recipient, &own) {
            rows.push(shown(recipient));
        }
        for label in own {
            *labels.entry((label.to_lowercase(), label)).or_default() += 1;
        }
    }
    RecipientList {
        rows,
        labels: labels.into_iter().map(|((_, label), count)| LabelCount { label, count }).collect(),
        fields: FIELDS.map(str::to_owned).to_vec(),
    }
}

/// Whom a query finds.
struct Wanted<'a> {
    search: &'a str,
    label: Option<&'a String>,
    /// All spellings of the number.
    numbers: Option<Vec<String>>,
}

impl<'a> Wanted<'a> {
    fn of(query: &'a RecipientQuery) -> Self {
        Self {
            search: query.search.as_deref().unwrap_or_default(),
            label: query.label.as_ref().filter(|label| !label.is_empty()),
            numbers: query.number.as_ref().map(|number| alternative_numbers(&digits_of(number))),
        }
    }

    fn has(&self, recipient: &desk::Recipient, labels: &[String]) -> bool {
        self.label.is_none_or(|label| labels.contains(label))
            && self.numbers.as_ref().is_none_or(|numbers| numbers.contains(&recipient.number))
            && matches_search(recipient, self.search)
    }
}

/// Stored JSON that can no longer be read must not hide the recipient.
fn labels_of(recipient: &desk::Recipient) -> Vec<String> {
    serde_json::from_str(&recipient.labels).unwrap_or_default()
}

pub(super) fn shown(recipient: desk::Recipient) -> Recipient {
    let formatted = recipient::formatted(&recipient.number);
    let labels = labels_of(&recipient);
    let value = |field: &str| match field {
        "name" => recipient.name.clone(),
        "firstName" => first_name(&recipient.name).to_owned(),
        "number" => formatted.clone(),
        "labels" => labels.join(", "),
        _ => recipient.note.split_whitespace().collect::<Vec<_>>().join(" "),
    };
    let values = FIELDS.map(|field| (field.to_owned(), value(field)));
    Recipient {
        values: values.into_iter().filter(|(_, value)| !value.is_empty()).collect(),
        formatted,
        labels,
        id: recipient.id,
        workspace: recipient.workspace_id,
        name: recipient.name,
        number: recipient.number,
        note: recipient.note,
        last_sent_at: recipient.last_sent_at,
        stopped_marketing: false,
    }
}

fn digits_of(number: &str) -> String {
    number.chars().filter(char::is_ascii_digit).collect()
}

/// Whether every word of a search matches a field of a recipient. A number matches in any notation.
fn matches_search(recipient: &desk::Recipient, search: &str) -> bool {
    let digits = searched_digits(search).filter(|digits| digits.len() >= 3);
    if digits.is_some_and(|digits| recipient.number.contains(&digits)) {
        return true;
    }
    has_words(&[recipient.name.as_str(), &recipient.note, &recipient.number].join("\n"), search)
}

/// A text [`one_line`], unless it is too long.
fn line(field: &str, text: &str, longest: usize) -> Result<String> {
    let line = one_line(text);
    if is_longer(&line, longest) {
        return Err(DeskError::at_fault(field, InputFault::TooLong { limit: longest as u32 }));
    }
    Ok(line)
}

/// Labels in alphabetical order, without duplicates that differ in case only.
fn labels(typed: &[String]) -> Result<Vec<String>> {
    let lines: Vec<String> =
        typed.iter().map(|label| line("labels", label, MAX_LABEL_LENGTH)).collect::<Result<_>>()?;
    let labels = by_lower_case(lines.into_iter().filter(|label| !label.is_empty()));
    if labels.len() > MAX_LABELS {
        return Err(DeskError::at_fault("labels", InputFault::TooMany { limit: MAX_LABELS as u32 }));
    }
    Ok(labels.into_values().collect())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot read its own input should fail")]

    use super::*;

    #[test]
    fn a_search_finds_names_and_numbers_in_any_notation() {
        let ana = desk::Recipient {
            name: "Ana Conceição".into(),
            number: "5511987654321".into(),
            note: "the shop in front".into(),
            ..desk::Recipient::default()
        };
        let by_number = ["+55 (11) 98765", "98765-4321", "5511", "(011) 98765-4321", "11 98765/4321"];
        let by_words = ["", " ", "ana", "CONCEIÇÃO", "conceicao", "shop ana"];
        for search in by_words.into_iter().chain(by_number) {
            assert!(matches_search(&ana, search), "{search:?}");
        }
        for search in ["bia", "ana bia", "+1 (11)", "99999"] {
            assert!(!matches_search(&ana, search), "{search:?}");
        }
    }

    #[test]
    fn fields_of_a_person_fill_one_line() {
        let ana = desk::Recipient {
            name: " Ana Maria Souza".into(),
            number: "5511987654321".into(),
            labels: r#"["pilot","team"]"#.into(),
            note: "the shop\n in front".into(),
            ..desk::Recipient::default()
        };
        let value = |recipient: &Recipient, field: &str| recipient.values.get(field).cloned().unwrap_or_default();
        let person = shown(ana.clone());
        assert_eq!(
            FIELDS.map(|field| value(&person, field)),
            [" Ana Maria Souza", "Ana", "+55 11 98765-4321", "pilot, team", "the shop in front"]
        );
        let person = shown(desk::Recipient { note: String::new(), ..ana });
        assert!(!person.values.contains_key("note"));
    }

    #[test]
    fn labels_are_deduplicated_in_order() {
        // Pasted texts have invisible characters.
        let typed = ["zebra ", "Team", "te\u{200b}am", "", "\u{feff}", " a\tb "].map(str::to_owned);
        assert_eq!(labels(&typed).unwrap(), ["a b", "Team", "zebra"]);
        let many: Vec<String> = (0..=MAX_LABELS).map(|label| label.to_string()).collect();
        for typed in [many, vec!["x".repeat(MAX_LABEL_LENGTH + 1)]] {
            assert!(matches!(labels(&typed), Err(DeskError::InvalidInput { field, .. }) if field == "labels"));
        }
    }
}
