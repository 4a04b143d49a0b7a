//! Checks answers that are JSON: orders, lists of products, flow data.

use serde_json::Value;

use crate::rules::of_order;
use crate::send::form::SendPart;
use crate::send::problem::{SendProblem, SendProblemCode as Code};

/// Maximum number of sections in a list of products (upstream §2.7).
const SECTIONS: usize = 10;
/// Maximum number of products in all sections together.
const PRODUCTS: usize = 30;
/// Minimum time until an order expires, in seconds (upstream §10).
const EXPIRATION: i64 = 300;

/// The problem with the JSON of a part; `None` if it is valid.
pub(super) fn problem(part: &SendPart, text: &str, now_ms: i64) -> Option<SendProblem> {
    let id = part.id.as_str();
    let value: Value = match serde_json::from_str(text) {
        Ok(value) => value,
        Err(error) => {
            let message = error.to_string();
            let detail = message.rsplit_once(" at line ").map_or(message.as_str(), |(detail, _)| detail);
            let (line, column) = (error.line(), error.column());
            return Some(SendProblem::new(
                id,
                Code::ValueJson,
                &[("detail", &detail), ("line", &line), ("column", &column)],
            ));
        }
    };
    if id.ends_with(".sections") {
        return (!are_sections(&value))
            .then(|| SendProblem::new(id, Code::ValueSections, &[("sections", &SECTIONS), ("products", &PRODUCTS)]));
    }
    let Value::Object(object) = &value else { return Some(SendProblem::new(id, Code::ValueObject, &[])) };
    if !id.ends_with(".order_details") {
        return None;
    }
    if let Some(finding) = of_order(object).into_iter().next() {
        let mut problem =
            SendProblem::new(id, Code::ValueOrder, &[("detail", &finding.message), ("rule", &finding.code)]);
        // The window translates the sentence of the rule.
        problem.values.extend(finding.values.into_iter().map(|(name, value)| (name.to_owned(), value)));
        return Some(problem);
    }
    let expires = value.pointer("/order/expiration/timestamp").and_then(Value::as_str)?.parse::<i64>().ok()?;
    (expires < now_ms / 1000 + EXPIRATION).then(|| {
        let detail = format!("It expires less than {EXPIRATION} seconds from now.");
        SendProblem::new(id, Code::ValueOrder, &[("detail", &detail)])
    })
}

/// Whether it is a list of sections with products, within the limits of a message.
fn are_sections(value: &Value) -> bool {
    let Some(sections) = value.as_array().filter(|sections| (1..=SECTIONS).contains(&sections.len())) else {
        return false;
    };
    let products: Option<Vec<usize>> = sections
        .iter()
        .map(|section| {
            let products = section.get("product_items")?.as_array()?;
            let named = |product: &Value| {
                product.get("product_retailer_id").and_then(Value::as_str).is_some_and(|id| !id.trim().is_empty())
            };
            (!products.is_empty() && products.iter().all(named)).then_some(products.len())
        })
        .collect();
    products.is_some_and(|products| products.into_iter().sum::<usize>() <= PRODUCTS)
}
