//! What the shop sent: order updates every day, reminders, codes, and campaigns.

use super::calendar::{Calendar, DAYS, HOUR, SECOND};
use super::lives::Life;
use super::people::{Language, Person};
use super::random::Random;
use crate::seed::{NUMBER, SECOND_NUMBER};
use crate::time::Instant;

/// A template that is to be sent.
#[derive(Clone, Debug)]
pub(crate) struct Planned {
    pub(crate) at: Instant,
    pub(crate) person: usize,
    pub(crate) number: &'static str,
    /// Its position among the samples.
    pub(crate) template: usize,
    /// Values of the body's variables, then of the button's address if it has one.
    pub(crate) values: Vec<String>,
    pub(crate) category: &'static str,
    /// Row of the batch.
    pub(crate) row: Option<u32>,
}

/// Rows of the batch, all with their own recipients.
pub(crate) const BATCH_ROWS: u32 = 250;
/// Day of the batch, before the anchor.
const BATCH_DAY: i64 = 13;
/// Lines of the batch's file whose number is not one: the line, the name, and the cell.
pub(crate) const BATCH_FLAWS: &[(u32, &str, &str)] =
    &[(47, "Tereza Lobo", "11 9555"), (133, "Nilton Prado", "sem número"), (208, "Célia Porto", "+55 11")];

pub(crate) fn batch_start(calendar: Calendar) -> Instant {
    calendar.at(BATCH_DAY, 10, 2)
}

/// A template that everybody of a list gets within hours.
struct Campaign {
    template: (&'static str, &'static str),
    number: &'static str,
    days: i64,
    hour: i64,
    language: Language,
    /// How many customers get it, and from which one on.
    people: (usize, usize),
    /// Value of the last variable; the first is the customer's name if there are two.
    value: &'static str,
}

const fn campaign(
    template: (&'static str, &'static str),
    (days, hour): (i64, i64),
    language: Language,
    people: (usize, usize),
    value: &'static str,
) -> Campaign {
    Campaign { template, number: NUMBER, days, hour, language, people, value }
}

use Language::{English, Portuguese, Spanish};

const DAILY: (&str, &str) = ("daily_offer", "pt_BR");
const WEEKLY: (&str, &str) = ("weekly_offer", "pt_BR");
const COUPON: (&str, &str) = ("coupon", "es");
const SPRING: (&str, &str) = ("spring_sale", "pt_BR");

const CAMPAIGNS: &[Campaign] = &[
    campaign(DAILY, (58, 11), Portuguese, (24, 0), "rosas vermelhas"),
    campaign(DAILY, (57, 11), Portuguese, (24, 24), "lírios"),
    campaign(DAILY, (55, 11), Portuguese, (24, 48), "gérberas"),
    campaign(DAILY, (54, 11), Portuguese, (24, 0), "margaridas"),
    campaign(DAILY, (52, 11), Portuguese, (24, 24), "cravos"),
    campaign(DAILY, (51, 11), Portuguese, (24, 48), "suculentas"),
    campaign(WEEKLY, (50, 10), Portuguese, (70, 40), "buquê de girassóis"),
    campaign(WEEKLY, (43, 10), Portuguese, (75, 60), "orquídea phalaenopsis"),
    campaign(WEEKLY, (36, 10), Portuguese, (80, 20), "cesta de café da manhã"),
    campaign(WEEKLY, (29, 10), Portuguese, (80, 100), "dúzia de rosas"),
    campaign(WEEKLY, (23, 10), Portuguese, (70, 150), "vaso de lavanda"),
    campaign(COUPON, (42, 16), Spanish, (55, 0), ""),
    campaign(COUPON, (26, 16), Spanish, (58, 0), ""),
    campaign(COUPON, (9, 16), Spanish, (56, 0), ""),
    campaign(SPRING, (38, 14), Portuguese, (90, 0), "domingo"),
    Campaign { number: SECOND_NUMBER, ..campaign(SPRING, (37, 15), Portuguese, (40, 220), "sexta-feira") },
    campaign(SPRING, (26, 14), Portuguese, (110, 90), "sábado"),
    campaign(("bouquets", "pt_BR"), (30, 17), Portuguese, (95, 30), ""),
    campaign(("summer_offer", "es"), (21, 12), Spanish, (54, 3), ""),
    campaign(("summer_offer", "pt_BR"), (15, 18), Portuguese, (130, 70), ""),
    campaign(("summer_offer", "pt_BR"), (6, 18), Portuguese, (120, 5), ""),
];

/// Everything that is sent, in no order. `people` are those of [`super::people`].
pub(crate) fn planned(calendar: Calendar, people: &[Person]) -> Vec<Planned> {
    let mut random = Random::new(0xca3b_a165);
    let of = |language: Language| -> Vec<usize> {
        (0..people.len()).filter(|index| people[*index].language == language).collect()
    };
    let speakers = |language: Language| match language {
        Portuguese => of(Portuguese),
        English => of(English),
        Spanish => of(Spanish),
    };
    let (portuguese, english) = (speakers(Portuguese), speakers(English));
    let mut all = Vec::new();
    let mut order = 860_120;
    for days in (0..=DAYS).rev() {
        let weekday = calendar.weekday(days);
        // Orders: few on Saturdays, none on Sundays, and slightly more every week.
        let busy = match weekday {
            6 => 0,
            5 => 5,
            _ => 9 + usize::try_from((DAYS - days) / 12).unwrap_or_default(),
        };
        for (template, language, list, share) in [
            (Life::index("order_shipped", "pt_BR"), 60, &portuguese, 100),
            (Life::index("order_shipped", "en_US"), 57, &english, 35),
        ] {
            if days >= language {
                continue;
            }
            for _ in 0..(busy * share / 100 + random.below(4)).min(busy * 2) {
                order += random.between(1, 3);
                let person = random.pick(list);
                let values = vec![people[person].first_name().to_owned(), order.to_string(), order.to_string()];
                let at = calendar.busy(days, &mut random);
                all.push(single(at, person, template, values, "utility"));
            }
        }
        if days < 47 && weekday < 6 {
            for _ in 0..3 + random.below(3) {
                let (day, hour) = (
                    random.pick(&["segunda-feira", "terça-feira", "quarta-feira", "quinta-feira"]),
                    random.between(9, 17),
                );
                let values = vec![day.to_owned(), format!("{hour}h")];
                let at = calendar.busy(days, &mut random);
                all.push(single(
                    at,
                    random.pick(&portuguese),
                    Life::index("visit_reminder", "pt_BR"),
                    values,
                    "utility",
                ));
            }
        }
        if days < 46 && weekday < 5 {
            // The channel moved it to another category, which is billed from then on.
            let category = if days < 28 { "marketing" } else { "utility" };
            for _ in 0..3 + random.below(2) {
                let at = calendar.busy(days, &mut random);
                all.push(single(at, random.pick(&english), Life::index("feedback", "en_US"), Vec::new(), category));
            }
        }
        if days < 58 {
            for _ in 0..2 + random.below(3) {
                let code = format!("{:06}", random.below(1_000_000));
                let at = calendar.busy(days, &mut random);
                let template = Life::index("verify_device", "en_US");
                all.push(single(at, random.pick(&english), template, vec![code], "authentication"));
            }
        }
    }
    for campaign in CAMPAIGNS {
        let list = speakers(campaign.language);
        let (count, first) = campaign.people;
        let mut at = calendar.at(campaign.days, campaign.hour, 0);
        for index in 0..count {
            let person = list[(first + index) % list.len()];
            at += random.between(2, 40) * SECOND;
            all.push(Planned {
                number: campaign.number,
                ..single(
                    at,
                    person,
                    Life::index(campaign.template.0, campaign.template.1),
                    campaign_values(campaign.template, people[person].first_name(), campaign.value),
                    "marketing",
                )
            });
        }
    }
    all.extend(batch(calendar, people, &portuguese));
    all
}

fn single(at: Instant, person: usize, template: usize, values: Vec<String>, category: &'static str) -> Planned {
    Planned { at, person, number: NUMBER, template, values, category, row: None }
}

fn campaign_values(template: (&str, &str), name: &str, value: &str) -> Vec<String> {
    match template {
        WEEKLY | DAILY => vec![value.to_owned()],
        SPRING => vec![name.to_owned(), value.to_owned()],
        _ => vec![name.to_owned()],
    }
}

/// The rows of the batch that were sent.
fn batch(calendar: Calendar, people: &[Person], list: &[usize]) -> Vec<Planned> {
    let start = batch_start(calendar);
    let rows = (1..=BATCH_ROWS).filter(|row| BATCH_FLAWS.iter().all(|(flawed, ..)| flawed != row));
    let sent = rows.zip(list.iter().rev()).map(|(row, person)| {
        let values = campaign_values(SPRING, people[*person].first_name(), "domingo");
        // Four messages in a second.
        let at = start + i64::from(row) * SECOND / 4;
        Planned { row: Some(row), ..single(at, *person, Life::index(SPRING.0, SPRING.1), values, "marketing") }
    });
    sent.collect()
}

pub(crate) fn batch_end(calendar: Calendar) -> Instant {
    batch_start(calendar) + i64::from(BATCH_ROWS) * SECOND / 4 + SECOND
}

/// How long after a message a customer may still answer it.
pub(crate) const ANSWERED_WITHIN: i64 = 20 * HOUR;
