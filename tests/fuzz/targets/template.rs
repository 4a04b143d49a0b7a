//! Any template: parsed, checked, rendered, rewritten, serialised, compared.

#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use model::lint::{LintContext, inspect, lint, lint_json};
use model::render::{Fill, render};
use model::rewrite::{Rewrite, rewrite};
use model::template::{Template, TemplateRecord};
use serde_json::Value;

/// Maximum number of rewrites for one template; otherwise the input would determine the run time.
const MOST_REWRITES: usize = 16;

fuzz_target!(|data: &[u8]| -> Corpus {
    let Ok(json) = serde_json::from_slice::<Value>(data) else { return Corpus::Reject };
    let _findings = lint_json(&json);
    let _record = serde_json::from_value::<TemplateRecord>(json.clone());
    let Ok(template) = serde_json::from_value::<Template>(json) else { return Corpus::Keep };

    // Serialised and parsed again, it is the same template.
    let json_text = serde_json::to_string(&template).expect("a template is JSON");
    let read: Template = serde_json::from_str(&json_text).expect("serialised templates can be parsed");
    assert_eq!(read, template);

    let _bubble = render(&template, &Fill::default());
    let (findings, _counters) = inspect(&template, &LintContext::default());
    let mut tried: Vec<Rewrite> = Vec::new();
    for finding in findings.iter().take(MOST_REWRITES) {
        tried.push(Rewrite::Fix { code: finding.code.to_string(), path: finding.path.clone() });
        tried.push(Rewrite::Renumber { path: finding.path.clone() });
    }
    for rewriting in tried.iter().take(MOST_REWRITES) {
        if let Ok(corrected) = rewrite(&template, rewriting) {
            let _findings = lint(&corrected);
            serde_json::to_string(&corrected).expect("a corrected template is JSON");
        }
    }
    Corpus::Keep
});
