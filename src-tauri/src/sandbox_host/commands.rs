//! Commands of the window for the built-in sandbox.

use std::path::Path;

use app::SANDBOX_COUNTRY;
use chrono::DateTime;
use command_types::Nothing;
use command_types::composer::Attachment;
use command_types::error::{DeskError, FileFault, InputFault, Result};
use command_types::phone::{
    AddPhone, FailureCode, PhoneError, PhoneFile, PhoneId, PhoneMarketing, PhoneMedia, PhoneMessage, PhoneRevision,
    PhoneRow, PhoneScript, PhoneScriptRow, PhoneTap, PhoneText, ResetSandbox, ReviewDecision, SandboxMinimal,
    SandboxSettings, SandboxWebhooks, SavePhoneScript, TapMade,
};
use command_types::send::RecipientFacts;
use model::error_code;
use model::event::identity::is_user_id;
use model::send::SendProblem;
use model::visible::visible;
use model::vocabulary::TemplateStatus;
use outgoing::recipient::{NumberCountry, check_recipient};
use sandbox::phone::{ButtonChoice, Item, PhoneSummary, Received, Sent, Tap, said};
use sandbox::profile::Minimal;
use sandbox::{Decision, Refusal, Script, Seed, Settings, script};
use serde::de::DeserializeOwned;

use super::{SandboxHost, pictures, revisions};

/// Whether a setting for developers, of those that the window shows, differs from its default.
fn is_customized(settings: &Settings) -> bool {
    let default = Settings::default();
    (&settings.profile, &settings.error_form, &settings.media_links, &settings.delivery)
        != (&default.profile, &default.error_form, &default.media_links, &default.delivery)
}

impl SandboxHost {
    /// Settings of reviews and deliveries.
    pub async fn get_sandbox_settings(&self, _request: Nothing) -> Result<SandboxSettings> {
        let settings = self.sandbox.settings();
        let (delivery, minimal) = (&settings.delivery, &settings.minimal);
        Ok(SandboxSettings {
            profile: word_of(&settings.profile),
            minimal: SandboxMinimal {
                listing: word_of(&minimal.listing),
                archived: minimal.archived,
                category: minimal.category,
                creation: word_of(&minimal.creation),
                message_id: minimal.message_id,
                empty_answers: minimal.empty_answers,
            },
            review: word_of(&settings.review),
            review_delay_ms: settings.review_delay_ms,
            status_delay_ms: settings.status_delay_ms,
            webhooks: SandboxWebhooks {
                paused: delivery.paused,
                delay_ms: delivery.delay_ms,
                duplicates: delivery.duplicates,
                reorder: delivery.reorder,
                batch: u32::try_from(delivery.batch).unwrap_or(u32::MAX),
                window_ms: delivery.window_ms,
                signature: word_of(&delivery.signature),
            },
            tap_form: word_of(&settings.tap_form),
            error_form: word_of(&settings.error_form),
            auto_read: settings.auto_read,
            media_links: word_of(&settings.media_links),
            throttle: settings.throttle.on,
            customized: is_customized(&settings) || !self.sandbox.faults().is_empty(),
            fault: self.shown_fault(),
        })
    }

    pub async fn save_sandbox_settings(&self, request: SandboxSettings) -> Result<SandboxSettings> {
        let mut settings = self.sandbox.settings();
        settings.profile = parse_word("profile", &request.profile)?;
        settings.minimal = Minimal {
            listing: parse_word("minimal.listing", &request.minimal.listing)?,
            archived: request.minimal.archived,
            category: request.minimal.category,
            creation: parse_word("minimal.creation", &request.minimal.creation)?,
            message_id: request.minimal.message_id,
            empty_answers: request.minimal.empty_answers,
        };
        settings.review = request.review.parse().map_err(|error: String| DeskError::invalid("review", error))?;
        settings.review_delay_ms = request.review_delay_ms;
        settings.status_delay_ms = request.status_delay_ms;
        settings.tap_form = parse_word("tapForm", &request.tap_form)?;
        settings.error_form = parse_word("errorForm", &request.error_form)?;
        settings.auto_read = request.auto_read;
        settings.media_links = parse_word("mediaLinks", &request.media_links)?;
        settings.throttle.on = request.throttle;
        let (delivery, webhooks) = (&mut settings.delivery, request.webhooks);
        delivery.paused = webhooks.paused;
        delivery.delay_ms = webhooks.delay_ms;
        delivery.duplicates = webhooks.duplicates;
        delivery.reorder = webhooks.reorder;
        delivery.batch = webhooks.batch as usize;
        delivery.window_ms = webhooks.window_ms;
        delivery.signature = parse_word("webhooks.signature", &webhooks.signature)?;
        // An unchanged fault is kept: it may have options that the window does not show.
        if request.fault != self.shown_fault() {
            let fault = request.fault.map(|fault| self.parse_fault(fault)).transpose()?;
            self.sandbox.set_faults(fault.into_iter().collect()).map_err(|refusal| {
                let field = format!("fault{}", refusal.path.unwrap_or_default()).replace('/', ".");
                DeskError::invalid(field, refusal.details)
            })?;
        }
        self.sandbox.set_settings(settings).map_err(input_error)?;
        self.get_sandbox_settings(Nothing {}).await
    }

    /// Starts the sandbox again. Its settings stay.
    pub(crate) async fn reset(&self, request: ResetSandbox) -> Result<()> {
        let seed = if request.history { Seed::History } else { Seed::Empty };
        // In the sandbox's thread, whose tasks it starts.
        let sandbox = self.sandbox.clone();
        let reset = self.thread.handle().spawn(async move { sandbox.reset(seed).await });
        let reset = reset.await.map_err(|error| DeskError::Internal { message: error.to_string() })?;
        reset.map_err(|reason| DeskError::Storage { reason })
    }

    /// Decides about a template in review.
    pub async fn decide_review(&self, request: ReviewDecision) -> Result<Nothing> {
        let mut decision = Decision::of(TemplateStatus::from(request.event.as_str()));
        decision.reason = request.reason.filter(|reason| !reason.is_empty());
        self.sandbox.decide(&request.reference, &decision).map_err(input_error)?;
        Ok(Nothing {})
    }

    /// The phones, by their last activity, newest first.
    pub async fn list_phones(&self, _request: Nothing) -> Result<Vec<PhoneRow>> {
        let mut phones: Vec<_> = self.sandbox.phones().into_iter().map(row).collect();
        phones.sort_by_key(|phone| std::cmp::Reverse(phone.last_at));
        Ok(phones)
    }

    /// Adds a phone, or renames it.
    pub async fn add_phone(&self, request: AddPhone) -> Result<PhoneRow> {
        let recipient = phone_number(&request.recipient)?;
        self.sandbox.add_phone(&recipient, request.name.as_deref()).map_err(input_error)?;
        let added = self.sandbox.phones().into_iter().find(|phone| phone.recipient == recipient);
        added.map(row).ok_or_else(|| DeskError::other_not_found(format!("The phone {recipient}")))
    }

    /// The messages of a phone, including those in flight and failed, oldest first.
    pub async fn list_phone_messages(&self, request: PhoneId) -> Result<Vec<PhoneMessage>> {
        let phone = self.sandbox.phone(&request.recipient);
        let mut messages: Vec<_> = phone.not_shown.into_iter().map(received).collect();
        for (place, item) in phone.items.into_iter().enumerate() {
            let shown = match item {
                Item::Received(message) => received(*message),
                Item::Sent(message) if revisions::apply(&mut messages, &message.content) => continue,
                Item::Sent(message) => {
                    let file = message.media.as_ref().map(|media| media.id.clone());
                    let mut message = sent(place, *message);
                    if let (Some(file), Some(media)) = (file, &mut message.media) {
                        pictures::sticker(&self.sandbox, &file, media).await;
                    }
                    message
                }
            };
            messages.push(shown);
        }
        for bubble in messages.iter_mut().filter_map(|message| message.bubble.as_mut()) {
            self.pictures.show(&self.sandbox, bubble);
        }
        messages.sort_by_key(|message| message.at);
        Ok(messages)
    }

    pub async fn tap_button(&self, request: PhoneTap) -> Result<Nothing> {
        let tap = Tap {
            message_id: Some(request.message),
            button: ButtonChoice::Index(request.button as usize),
            card: request.card.map(|card| card as usize),
            form: request.form.map(|form| parse_word("form", &form)).transpose()?,
        };
        self.sandbox.tap(&request.recipient, &tap).map_err(input_error)?;
        Ok(Nothing {})
    }

    pub async fn type_text(&self, request: PhoneText) -> Result<Nothing> {
        let PhoneText { recipient, text, number, reply_to } = request;
        let typed = self.sandbox.write_text(&recipient, &text, number.as_deref(), reply_to.as_deref());
        typed.map_err(input_error)?;
        Ok(Nothing {})
    }

    pub async fn revise_phone_message(&self, request: PhoneRevision) -> Result<Nothing> {
        let PhoneRevision { recipient, message, text } = request;
        self.sandbox.revise_text(&recipient, &message, text.as_deref()).map_err(input_error)?;
        Ok(Nothing {})
    }

    /// Stops or resumes the marketing messages of a business on a phone.
    pub async fn choose_phone_marketing(&self, request: PhoneMarketing) -> Result<Nothing> {
        let PhoneMarketing { recipient, number, is_stopped } = request;
        self.sandbox.choose_marketing(&recipient, number.as_deref(), is_stopped).map_err(input_error)?;
        Ok(Nothing {})
    }

    pub(crate) async fn send_file(&self, request: PhoneFile, file: Attachment) -> Result<()> {
        let unusable = |problem, reason| DeskError::File { name: file.name.clone(), reason, problem: Some(problem) };
        if file.size > model::media::DOCUMENT_LIMIT {
            let (size, limit) = (file.size, model::media::DOCUMENT_LIMIT);
            let reason = format!("it has {size} bytes, and no message may carry more than {limit}");
            return Err(unusable(FileFault::TooLarge, reason));
        }
        let bytes = tokio::fs::read(&file.path).await;
        let bytes = bytes.map_err(|error| DeskError::file_io(file.name.clone(), &error, error.to_string()))?;
        let fault = file_fault(&bytes, &file.name);
        let sent = sandbox::phone::PhoneFile {
            bytes: bytes.into(),
            filename: Path::new(&file.path).file_name().map(|name| name.to_string_lossy().into_owned()),
            kind: None,
            caption: request.caption,
            thumbnail: file.thumbnail,
        };
        let sent =
            self.sandbox.send_file(&request.recipient, sent, request.number.as_deref(), request.reply_to.as_deref());
        match sent.await {
            // A refused file is a file error, not an invalid field.
            Err(refusal) if refusal.path.as_deref() == Some("/file") => Err(unusable(fault, refusal.details)),
            sent => sent.map(drop).map_err(input_error),
        }
    }

    /// Marks the unread messages on the phone as read.
    pub async fn read_phone(&self, request: PhoneId) -> Result<Nothing> {
        self.sandbox.read_phone(&request.recipient).map_err(input_error)?;
        Ok(Nothing {})
    }

    pub async fn list_phone_scripts(&self, _request: Nothing) -> Result<Vec<PhoneScriptRow>> {
        let scripts = self.sandbox.scripts().into_iter();
        Ok(scripts.map(|(recipient, script)| PhoneScriptRow { recipient, script: shown_script(script) }).collect())
    }

    /// Sets the script for the next messages to a phone, or to every phone with `*`.
    pub async fn save_phone_script(&self, request: SavePhoneScript) -> Result<Vec<PhoneRow>> {
        let script = match request.script {
            None => None,
            Some(wanted) => Some(Script {
                ms: wanted.ms,
                code: wanted.code,
                times: wanted.times,
                count: wanted.count,
                ..Script::of(parse_word("script.next", &wanted.next)?)
            }),
        };
        let set = self.sandbox.set_script(&request.recipient, script);
        set.map_err(|refusal| match refusal.path.as_deref() {
            Some("/recipient") | None => input_error(refusal),
            Some(path) => DeskError::invalid(format!("script.{}", path.trim_start_matches('/')), refusal.details),
        })?;
        self.list_phones(Nothing {}).await
    }

    /// The error codes with which a message can be made to fail.
    pub async fn list_failure_codes(&self, _request: Nothing) -> Result<Vec<FailureCode>> {
        let meaning = |code| error_code::find(code).map_or_else(String::new, |known| known.meaning.to_owned());
        Ok(script::failure_codes().into_iter().map(|code| FailureCode { code, meaning: meaning(code) }).collect())
    }
}

fn row(phone: PhoneSummary) -> PhoneRow {
    PhoneRow {
        formatted: outgoing::recipient::formatted(&phone.recipient),
        recipient: phone.recipient,
        name: Some(phone.name).filter(|_| phone.named),
        messages: phone.messages as u64,
        last_at: instant(&phone.last_at),
        last_kind: phone.last_kind,
        excerpt: phone.excerpt,
        script: phone.script.map(shown_script),
        marketing_stopped: phone.marketing_stopped,
    }
}

fn shown_script(script: Script) -> PhoneScript {
    PhoneScript {
        next: word_of(&script.next),
        ms: script.ms,
        code: script.code,
        times: script.times,
        count: script.count,
    }
}

/// Converts a message from the business.
fn received(message: Received) -> PhoneMessage {
    let error = message.error.as_ref().map(|error| PhoneError {
        code: error["code"].as_i64().unwrap_or_default(),
        title: error["title"].as_str().unwrap_or_default().to_owned(),
    });
    let place = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
    let made = |tap: sandbox::Tapped| TapMade { card: tap.card.map(place), button: place(tap.button), at: tap.at };
    PhoneMessage {
        id: message.message_id,
        from_phone: false,
        at: instant(&message.at),
        kind: if message.text.is_some() { "text" } else { "template" }.to_owned(),
        bubble: message.bubble,
        text: message.text,
        media: None,
        status: message.status,
        error,
        taps: message.taps.into_iter().map(made).collect(),
        reply_to: None,
        edited: false,
        number: message.number,
    }
}

/// Converts a message from the phone.
fn sent(place: usize, message: Sent) -> PhoneMessage {
    let content = &message.content;
    let text = |value: Option<&serde_json::Value>| value.and_then(|value| value.as_str()).map(str::to_owned);
    let kind = text(content.get("type")).unwrap_or_default();
    let caption = text(content.get(&kind).and_then(|media| media.get("caption")));
    let media = message.media.map(|media| PhoneMedia {
        kind: kind.clone(),
        name: media.filename.map(|name| visible(&name).into_owned()).unwrap_or_default(),
        mime: media.mime_type,
        bytes: media.size,
        thumbnail: media.thumbnail,
    });
    PhoneMessage {
        id: text(content.get("id")).unwrap_or_else(|| place.to_string()),
        from_phone: true,
        at: instant(&message.at),
        bubble: None,
        text: if media.is_some() { caption } else { said(content).map(str::to_owned) },
        media,
        status: "received".to_owned(),
        error: None,
        taps: Vec::new(),
        reply_to: text(content.get("context").and_then(|context| context.get("id"))),
        edited: false,
        number: message.number,
        kind,
    }
}

fn instant(text: &str) -> i64 {
    DateTime::parse_from_rfc3339(text).map_or(0, |at| at.timestamp_millis())
}

/// The digits of a number in any notation. Digits of no country are left to the sandbox, which has phones of its own.
fn phone_number(typed: &str) -> Result<String> {
    // A person who hides the number.
    if is_user_id(typed.trim()) {
        return Ok(typed.trim().to_owned());
    }
    let country = NumberCountry::of_plain(typed, NumberCountry::Of(SANDBOX_COUNTRY));
    match check_recipient(typed, country) {
        (RecipientFacts { digits: Some(digits), .. }, _) => Ok(digits),
        _ if country == NumberCountry::Included => Ok(typed.trim().to_owned()),
        (_, problem) => Err(problem.map_or_else(
            || DeskError::at_fault("recipient", InputFault::NoNumber {}),
            |problem| DeskError::of_problem(&SendProblem { field: "recipient".to_owned(), ..problem }),
        )),
    }
}

/// What is wrong with a file that the sandbox refused.
fn file_fault(bytes: &[u8], name: &str) -> FileFault {
    if bytes.is_empty() {
        return FileFault::Empty;
    }
    match model::media::of_file(bytes, Some(name)) {
        // Ogg is carried with one of its codecs only.
        Some(mime) if mime != "audio/ogg" || bytes.len() as u64 > model::media::message_kind(mime).1 => {
            FileFault::TooLarge
        }
        _ => FileFault::NotCarried,
    }
}

/// The string of an enum value in the settings.
fn word_of(value: &impl serde::Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

/// Parses a string of the settings.
pub(super) fn parse_word<T: DeserializeOwned>(field: &str, word: &str) -> Result<T> {
    serde_json::from_value(word.into()).map_err(|error| DeskError::invalid(field, error.to_string()))
}

/// Converts a refusal to an error with the window's field name.
fn input_error(refusal: Refusal) -> DeskError {
    let path = refusal.path.unwrap_or_default();
    let field = match path.trim_start_matches('/') {
        "body" => "text".to_owned(),
        "message_id" => "message".to_owned(),
        other => {
            let mut field = String::new();
            for (index, word) in other.replace("delivery/", "webhooks/").replace('/', ".").split('_').enumerate() {
                let mut letters = word.chars();
                match letters.next() {
                    Some(first) if index > 0 => field.push(first.to_ascii_uppercase()),
                    Some(first) => field.push(first),
                    None => {}
                }
                field.extend(letters);
            }
            field
        }
    };
    let fault = match field.as_str() {
        "recipient" => Some(InputFault::NoNumber {}),
        "name" => Some(InputFault::TooLong { limit: sandbox::phone::NAME_LIMIT as u32 }),
        "text" => Some(InputFault::TooLong { limit: sandbox::phone::TEXT_LIMIT as u32 }),
        "number" => Some(InputFault::NoSender {}),
        "message" | "replyTo" | "button" => Some(InputFault::MessageGone {}),
        _ => None,
    };
    match fault {
        Some(fault) => DeskError::at_fault(field, fault),
        None => DeskError::invalid(field, format!("{}: {}", refusal.message, refusal.details)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_use_the_field_names_of_the_window() {
        for (path, wanted) in [
            ("/body", "text"),
            ("/message_id", "message"),
            ("/reply_to", "replyTo"),
            ("/delivery/duplicates", "webhooks.duplicates"),
            ("/review_delay_ms", "reviewDelayMs"),
            ("/name", "name"),
        ] {
            let DeskError::InvalidInput { field, .. } = input_error(Refusal::field(path, "is wrong")) else {
                panic!("{path} became another error")
            };
            assert_eq!(field, wanted);
        }
    }

    #[test]
    fn the_window_has_words_for_what_is_wrong_on_a_phone() {
        for (path, wanted) in [
            ("/recipient", InputFault::NoNumber {}),
            ("/name", InputFault::TooLong { limit: 100 }),
            ("/body", InputFault::TooLong { limit: 4_096 }),
            ("/number", InputFault::NoSender {}),
            ("/message_id", InputFault::MessageGone {}),
        ] {
            let refused = input_error(Refusal::field(path, "is wrong"));
            assert!(
                matches!(&refused, DeskError::InvalidInput { fault: Some(fault), .. } if *fault == wanted),
                "{path}"
            );
        }
        let picture = b"\x89PNG\r\n\x1a\n";
        for (bytes, wanted) in
            [(&b""[..], FileFault::Empty), (b"PK\x03\x04", FileFault::NotCarried), (picture, FileFault::TooLarge)]
        {
            assert_eq!(file_fault(bytes, "file"), wanted, "{bytes:?}");
        }
    }

    #[test]
    fn numbers_are_read_in_any_notation() {
        for (typed, digits) in [
            ("+55 (11) 98765-4321", "5511987654321"),
            ("(11) 98765-4321", "5511987654321"),
            ("5511987654321", "5511987654321"),
            ("9999999", "9999999"),
            // As a phone outside of Brazil is known.
            ("33987654321", "33987654321"),
            ("351912345678", "351912345678"),
            ("(33) 98765-4321", "5533987654321"),
        ] {
            assert_eq!(phone_number(typed), Ok(digits.to_owned()));
        }
        for typed in ["628123456789.0", "5511987654321 / 5511987654322", "phone"] {
            let refused = phone_number(typed);
            let Err(DeskError::InvalidInput { field, problem, values, .. }) = refused else { panic!("{typed}") };
            let problem = problem.map(model::send::SendProblemCode::as_str);
            assert_eq!((field.as_str(), problem), ("recipient", Some("to.invalid")), "{typed}");
            assert!(values.contains_key("fault"), "{typed}: {values:?}");
        }
    }

    #[test]
    fn words_are_parsed_and_written_alike() {
        let form = parse_word::<sandbox::settings::TapForm>("form", "interactive");
        assert_eq!(form.map(|form| word_of(&form)), Ok("interactive".to_owned()));
        assert!(matches!(
            parse_word::<sandbox::settings::TapForm>("form", "shout"),
            Err(DeskError::InvalidInput { field, .. }) if field == "form"
        ));
    }
}
