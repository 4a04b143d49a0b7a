//! Further rounds after something else happened: a late report, a cap on other messages, rows that were sent again.

use command_types::batch::ResumeBatch;
use command_types::batch_round::OutcomeGroup;

use super::super::webhooks::wait_until;
use super::provider::{OFFER, Reply, TEMPLATE};
use super::round::{HOUR, MINUTE, find, groups, now, plan, report, report_last, sender, start};
use super::{Desk, detail, recipient};

async fn wait_for_failed(desk: &Desk, id: &str, people: u32) {
    wait_until("all failed", async || detail(&desk.core, id).await.batch.counts.failed == people).await;
}

/// Statuses arrive in any order: what has failed may be reported as delivered while a round of it waits.
#[tokio::test]
async fn a_message_is_not_sent_again_after_news_about_the_first_one() {
    let mut desk = Desk::start().await;
    let id = desk.started().await;
    desk.wait_until_ended(&id).await;
    let sender = sender(&desk).await;
    let (arrived, stopped, failed) = (recipient(5), recipient(6), recipient(7));
    for to in [&arrived, &stopped, &failed] {
        report(&desk, &sender, to, "failed", Some(131_000), now() - HOUR).await;
    }
    wait_for_failed(&desk, &id, 3).await;
    let draft = plan(&desk, &id, OutcomeGroup::Passing).await.unwrap();
    assert_eq!(draft.counts.planned, 3);
    report(&desk, &sender, &arrived, "delivered", None, now()).await;
    report(&desk, &sender, &stopped, "failed", Some(131_050), now()).await;
    wait_until("the news arrived", async || {
        let found = groups(&desk, &id).await.groups;
        [OutcomeGroup::Reached, OutcomeGroup::OptedOut]
            .iter()
            .all(|group| found.iter().any(|found| found.group == *group))
    })
    .await;

    start(&desk, &draft.id).await.unwrap();
    let done = desk.wait_until_ended(&draft.id).await;
    assert_eq!((done.counts.accepted, done.counts.skipped), (1, 2));
    let sent = desk.provider.recipients();
    assert_eq!((sent[&arrived], sent[&stopped], sent[&failed]), (1, 1, 2));
    for row in desk.rows(&draft.id, "skipped").await {
        assert_eq!(row.problem.unwrap().code.as_str(), "to.noRetry");
    }
    desk.close().await;
}

#[tokio::test]
async fn news_about_any_earlier_message_counts() {
    let mut desk = Desk::start().await;
    let id = desk.started().await;
    desk.wait_until_ended(&id).await;
    let sender = sender(&desk).await;
    let person = recipient(5);
    report(&desk, &sender, &person, "failed", Some(131_016), now() - HOUR).await;
    wait_for_failed(&desk, &id, 1).await;
    let second = plan(&desk, &id, OutcomeGroup::Passing).await.unwrap().id;
    start(&desk, &second).await.unwrap();
    desk.wait_until_ended(&second).await;
    report_last(&desk, &sender, &person, "failed", Some(131_016), now()).await;
    wait_for_failed(&desk, &second, 1).await;
    let third = plan(&desk, &second, OutcomeGroup::Passing).await.unwrap().id;
    report(&desk, &sender, &person, "delivered", None, now()).await;
    wait_until("the first arrived", async || detail(&desk.core, &id).await.batch.counts.delivered == 1).await;
    start(&desk, &third).await.unwrap();
    assert_eq!(desk.wait_until_ended(&third).await.counts.skipped, 1);
    assert_eq!(desk.provider.recipients()[&person], 2);
    desk.close().await;
}

#[tokio::test]
async fn only_marketing_waits_for_the_cap_of_marketing_messages() {
    let mut desk = Desk::start().await;
    let sender = sender(&desk).await;
    let person = recipient(5);
    let capped = desk.started_with(OFFER).await;
    desk.wait_until_ended(&capped).await;
    report_last(&desk, &sender, &person, "failed", Some(131_049), now() - HOUR).await;
    wait_for_failed(&desk, &capped, 1).await;
    for (reference, wait) in [(TEMPLATE, 0), (OFFER, 23 * HOUR)] {
        let id = desk.started_with(reference).await;
        desk.wait_until_ended(&id).await;
        report_last(&desk, &sender, &person, "failed", Some(131_016), now()).await;
        wait_for_failed(&desk, &id, 1).await;
        let from = find(&groups(&desk, &id).await, OutcomeGroup::Passing).again_from.unwrap();
        assert!((from - now() - wait).abs() < MINUTE, "{reference}: {from}");
        let draft = plan(&desk, &id, OutcomeGroup::Passing).await.unwrap();
        let started = start(&desk, &draft.id).await;
        assert_eq!(started.is_ok(), wait == 0);
        if started.is_ok() {
            assert_eq!(desk.wait_until_ended(&draft.id).await.counts.accepted, 1);
        }
    }
    desk.close().await;
}

#[tokio::test]
async fn messages_that_a_person_sent_again_count_as_attempts() {
    let mut desk = Desk::start().await;
    let person = recipient(5);
    let cut = person.clone();
    desk.provider.answers(move |_, to| if to == cut { Reply::Cut } else { Reply::Accepted });
    let id = desk.started().await;
    assert_eq!(desk.wait_until_ended(&id).await.counts.unknown, 1);
    for attempt in 2..=4 {
        if attempt == 4 {
            desk.provider.answers(|_, _| Reply::Accepted);
        }
        let resend = ResumeBatch { batch: id.clone(), resend_unknown: true };
        desk.core.messaging.resume_batch(resend).await.unwrap();
        desk.wait_until_ended(&id).await;
    }
    assert_eq!(desk.provider.recipients()[&person], 4);
    let sender = sender(&desk).await;
    report_last(&desk, &sender, &person, "failed", Some(131_016), now()).await;
    wait_for_failed(&desk, &id, 1).await;
    let passing = find(&groups(&desk, &id).await, OutcomeGroup::Passing).clone();
    assert_eq!((passing.again, passing.tried_often), (0, 1));
    desk.close().await;
}
