//! People whom the channel held back a short time ago: a new batch leaves them out unless the person sends anyway.

use std::sync::atomic::{AtomicI64, Ordering};

use app::Timing;
use command_types::batch::BatchPlan;

use super::provider::{OFFER, Reply, TEMPLATE};
use super::round::{CAPPED, HOUR, MINUTE, now, start};
use super::{Desk, NUMBER, ROWS, file, recipient, request, short_timing};

/// Rows that can be sent.
const GOOD: u32 = ROWS - 3;
/// What everybody else's rows are asked about.
const OTHERS: [&str; 2] = ["to.repeated", "to.recentMarketing"];

async fn plan(desk: &Desk, template: &str, accepted: &[&str]) -> BatchPlan {
    let read = desk.core.messaging.read_csv(&file(desk.folder.path(), "numero,nome,dia")).await.unwrap();
    let mut request = request(&desk.workspace, template, NUMBER, &read);
    request.options.overrides = OTHERS.iter().chain(accepted).map(|code| (*code).to_owned()).collect();
    desk.core.messaging.plan_batch(request).await.unwrap()
}

#[tokio::test]
async fn people_who_were_held_back_are_left_out_until_it_makes_sense_to_try_again() {
    static AHEAD: AtomicI64 = AtomicI64::new(0);
    let clock: fn() -> i64 = || now() + AHEAD.load(Ordering::SeqCst);
    let mut desk = Desk::start_with(Timing { clock, ..short_timing() }).await;
    let held = [recipient(5), recipient(50)];
    let of = held.clone();
    desk.provider.answers(move |_, to| match of.iter().any(|person| person == to) {
        true => Reply::Status("400 Bad Request", "", CAPPED),
        false => Reply::Accepted,
    });
    let first = plan(&desk, OFFER, &[]).await;
    assert_eq!((first.good, &first.held_back), (GOOD, &None));
    start(&desk, &first.id).await.unwrap();
    desk.wait_until_ended(&first.id).await;

    let again = plan(&desk, OFFER, &[]).await;
    let found = again.held_back.clone().unwrap();
    assert_eq!((again.good, found.people, again.left_out), (GOOD - 2, 2, 2));
    assert!((found.from - now() - 24 * HOUR).abs() < 5 * MINUTE && found.all_from >= found.from, "{found:?}");
    let of_rows: Vec<_> =
        again.problems.iter().filter(|of| of.problem.code.as_str() == "to.cappedUntil").map(|of| of.row).collect();
    assert_eq!(of_rows, [5, 50]);

    let anyway = plan(&desk, OFFER, &["to.cappedUntil"]).await;
    assert_eq!((anyway.good, anyway.held_back.map(|of| of.people)), (GOOD, Some(2)), "who sends anyway still reads it");
    let utility = plan(&desk, TEMPLATE, &[]).await;
    assert_eq!((utility.good, utility.held_back), (GOOD, None), "the limit is one of marketing");

    AHEAD.store(25 * HOUR, Ordering::SeqCst);
    let later = plan(&desk, OFFER, &[]).await;
    assert_eq!((later.good, later.held_back), (GOOD, None));
    desk.close().await;
}
