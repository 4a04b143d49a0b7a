//! Retries of single messages that a rate limit refused. A refusal is recorded before the wait and the message as about to
//! be sent before the next attempt, so an end of the process in between leaves the truth.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::Duration;

use model::send::SendMessage;
use provider_client::Client;
use store::desk::{CallState, SendRecord, SendState};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::context::lock;
use crate::jobs::answer::{Answer, RequestKind};
use crate::jobs::backoff::{limit_pause, recipient_pause};
use crate::messaging::Messaging;
use crate::recorded_answer::send_error;
use command_types::Nothing;
use command_types::error::Result;
use command_types::event::DeskEvent;
use command_types::send::SendId;
use outgoing::now;

/// How long a message waits in all for a rate limit to end: as long as a person is likely to watch it.
const MAX_WAIT: Duration = Duration::from_secs(30);

/// Messages that wait for a rate limit to end, by the identifier of their send.
#[derive(Debug, Default)]
pub(in crate::messaging) struct WaitingSends(Mutex<HashMap<String, Waiting>>);

#[derive(Debug)]
struct Waiting {
    /// Unix milliseconds.
    until: i64,
    cancel: CancellationToken,
}

impl Messaging {
    /// When a message that a rate limit refused is sent again, in Unix milliseconds.
    pub(crate) fn retry_at(&self, send: &str) -> Option<i64> {
        lock(&self.0.waiting.0).get(send).map(|waiting| waiting.until)
    }

    /// Ends the wait of a message that a rate limit refused: it was not sent, and stays so. Without effect once it is
    /// being sent.
    pub async fn cancel_send(&self, SendId { send }: SendId) -> Result<Nothing> {
        if let Some(waiting) = lock(&self.0.waiting.0).remove(&send) {
            waiting.cancel.cancel();
        }
        Ok(Nothing {})
    }

    /// Sends a message again that a rate limit refused, if the wait is one that a person would wait.
    pub(super) fn retry_after_limit(&self, client: Client, message: SendMessage, send: &SendRecord) {
        let started = Instant::now();
        let Some((pause, cancel)) = self.wait_for_limit(send, 0, started) else { return };
        let (messaging, mut send) = (self.clone(), send.clone());
        self.0.context.spawn_changing(async move {
            let (mut pause, mut cancel) = (pause, cancel);
            for attempt in 1.. {
                let has_waited = tokio::select! {
                    () = tokio::time::sleep(pause) => true,
                    () = cancel.cancelled() => false,
                    () = messaging.0.context.cancel.cancelled() => false,
                };
                lock(&messaging.0.waiting.0).remove(&send.id);
                if !has_waited {
                    break;
                }
                match messaging.send_again(&client, &message, &send).await {
                    Ok(Some(answered)) => send = answered,
                    // A status was received, or the send was removed with its workspace.
                    Ok(None) => break,
                    Err(error) => {
                        tracing::warn!(
                            error = error.without_provider_text(),
                            "a message that a rate limit refused cannot be sent again"
                        );
                        break;
                    }
                }
                let Some(next) = messaging.wait_for_limit(&send, attempt, started) else { break };
                (pause, cancel) = next;
                messaging.emit_state(&send);
            }
            messaging.emit_state(&send);
        });
    }

    /// Registers the wait before the next attempt, if there is one.
    fn wait_for_limit(
        &self,
        send: &SendRecord,
        attempts: u32,
        started: Instant,
    ) -> Option<(Duration, CancellationToken)> {
        if send.state != CallState::Refused || send.batch.is_some() {
            return None;
        }
        let timing = &self.0.context.timing;
        let pause = match Answer::of(RequestKind::Messages, send_error(send)?) {
            Answer::Retry { is_limit: true, pause, .. } => limit_pause(timing.job_pause, attempts, pause),
            Answer::RetryRecipient { pause, .. } => recipient_pause(timing.recipient_pause, attempts + 1, pause),
            _ => return None,
        };
        if started.elapsed() + pause > MAX_WAIT {
            return None;
        }
        let until = now().saturating_add(i64::try_from(pause.as_millis()).unwrap_or(i64::MAX));
        let cancel = CancellationToken::new();
        lock(&self.0.waiting.0).insert(send.id.clone(), Waiting { until, cancel: cancel.clone() });
        Some((pause, cancel))
    }

    /// Sends a refused message once more, and records the answer. None if it is no longer refused.
    async fn send_again(
        &self,
        client: &Client,
        message: &SendMessage,
        send: &SendRecord,
    ) -> Result<Option<SendRecord>> {
        if !self.0.workspaces.settings(&send.workspace_id).await?.sends_from(&send.number)
            || !self.0.context.desk.reopen_send(&send.id).await?
        {
            return Ok(None);
        }
        let answered = client.send_message(&send.number, message).await;
        self.record_answer(send.clone(), answered).await.map(Some)
    }

    pub(super) fn emit_state(&self, send: &SendRecord) {
        self.0.context.emit(DeskEvent::SendUpdated {
            workspace: send.workspace_id.clone(),
            id: send.id.clone(),
            state: SendState::of(send.status.as_deref(), send.state),
        });
    }
}
