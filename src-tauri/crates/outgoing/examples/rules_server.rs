//! Serves the rules for templates and sends as JSON over HTTP on a loopback port, to the UI's tests and to the UI in a
//! browser.
//!
//! `POST /NAME` with a request as JSON answers 200 with the result, or 409 with a [`DeskError`]. The first line on stdout
//! is the address. The server stops when stdin is closed, so it never outlives the process that started it.

use std::io::Read;

use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::routing::post;
use axum::{Json, Router};
use command_types::composer::{
    Draft, InspectTemplate, Inspection, ReadTemplate, RewriteTemplate, Starter, TemplateText,
};
use command_types::error::DeskError;
use command_types::recipients::{CheckRecipient, RecipientCheck};
use command_types::send::{FormNumber, SendPreview, SendRequest, SendText, TemplateStanding};
use command_types::transfer::{FindTemplates, FoundTemplates};
use command_types::workspace::WorkspaceSettings;
use model::diff::{Change, Line, changes, json_lines};
use model::envelope::RejectionInfo;
use model::finding::Finding;
use model::rejection::guidance;
use model::render::{Bubble, Fill, render};
use model::send::{ColumnGuess, SendPart, SendProblem, guess_columns, send_form};
use model::template::Template;
use outgoing::message::{OptOuts, SendPlan, TRACKING_PREVIEW, prepare_text, preview_text};
use outgoing::recipient::{self, NumberCountry};
use outgoing::starters::starters;
use outgoing::{inspection, template_list, template_text};
use serde::{Deserialize, Serialize};
use tokio::net::TcpListener;

/// A send of a template, as far as it is filled in.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Send {
    settings: WorkspaceSettings,
    template: Template,
    status: String,
    archived: bool,
    cached_at: Option<i64>,
    #[serde(default)]
    wabas: Vec<String>,
    request: SendRequest,
}

impl Send {
    fn plan(self) -> (SendPlan, SendRequest) {
        let Self { settings, template, status, archived, cached_at, wabas, request } = self;
        let standing = TemplateStanding { status, archived, cached_at };
        (
            SendPlan {
                settings,
                template,
                standing,
                wabas,
                waba_statuses: Vec::new(),
                category_before: None,
                opt_outs: OptOuts::default(),
                recent_marketing: std::collections::HashMap::new(),
            },
            request,
        )
    }
}

#[derive(Serialize)]
struct Form {
    blocked: Option<SendProblem>,
    parts: Vec<SendPart>,
    numbers: Vec<FormNumber>,
    number: String,
}

#[derive(Deserialize)]
struct Text {
    settings: WorkspaceSettings,
    request: SendText,
}

#[derive(Deserialize)]
struct Number {
    settings: WorkspaceSettings,
    request: CheckRecipient,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Columns {
    columns: Vec<String>,
    number_columns: Vec<String>,
    parts: Vec<SendPart>,
}

#[derive(Deserialize)]
struct Compare {
    before: Template,
    after: Template,
}

#[derive(Deserialize)]
struct CompareJson {
    before: String,
    after: String,
}

/// A rejected template, with the reason and the explanation of the review.
#[derive(Deserialize)]
struct Rejected {
    template: Template,
    reason: Option<String>,
    info: Option<RejectionInfo>,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    println!("http://{}", listener.local_addr()?);
    let routes = Router::new()
        .route("/inspect_template", post(inspect_template))
        .route("/draft_findings", post(draft_findings))
        .route("/existing_findings", post(existing_findings))
        .route("/read_template", post(read_template))
        .route("/find_templates", post(find_templates))
        .route("/rewrite_template", post(rewrite_template))
        .route("/list_starters", post(list_starters))
        .route("/render", post(render_template))
        .route("/send_form", post(form))
        .route("/preview_send", post(preview_send))
        .route("/guess_columns", post(guess))
        .route("/preview_text", post(preview_a_text))
        .route("/check_recipient", post(check_recipient))
        .route("/changes", post(compare))
        .route("/json_lines", post(compare_json))
        .route("/guidance", post(explain_rejection))
        .layer(DefaultBodyLimit::disable());
    tokio::select! {
        ended = axum::serve(listener, routes) => Ok(ended?),
        () = stdin_closed() => Ok(()),
    }
}

/// Waits until the process that started this one closes stdin, or ends.
async fn stdin_closed() {
    let (closed, wait) = tokio::sync::oneshot::channel();
    std::thread::spawn(move || {
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        let _ = closed.send(());
    });
    let _ = wait.await;
}

type Answer<T> = Result<Json<T>, (StatusCode, Json<DeskError>)>;

fn answer<T>(result: Result<T, DeskError>) -> Answer<T> {
    result.map(Json).map_err(|error| (StatusCode::CONFLICT, Json(error)))
}

async fn inspect_template(Json(request): Json<InspectTemplate>) -> Json<Inspection> {
    Json(inspection::inspect(request))
}

async fn draft_findings(Json(draft): Json<Draft>) -> Json<Vec<Finding>> {
    Json(inspection::draft_findings(&draft, None))
}

async fn existing_findings(Json(template): Json<Template>) -> Json<Vec<Finding>> {
    Json(inspection::existing_findings(&template))
}

async fn read_template(Json(request): Json<ReadTemplate>) -> Json<TemplateText> {
    Json(template_text::read(&request.text))
}

async fn find_templates(Json(request): Json<FindTemplates>) -> Json<FoundTemplates> {
    let read = template_list::read(&request.text, &request.workspace);
    Json(read.unwrap_or_else(|fault| FoundTemplates { fault: Some(fault), ..FoundTemplates::default() }))
}

async fn rewrite_template(Json(request): Json<RewriteTemplate>) -> Answer<Template> {
    answer(inspection::rewrite(&request))
}

async fn list_starters() -> Json<Vec<Starter>> {
    Json(starters())
}

async fn render_template(Json(template): Json<Template>) -> Json<Bubble> {
    Json(render(&template, &Fill::default()))
}

async fn form(Json(send): Json<Send>) -> Json<Form> {
    let (plan, _) = send.plan();
    Json(Form {
        blocked: plan.blocked().or_else(|| plan.no_number()),
        parts: send_form(&plan.template).parts,
        numbers: plan.form_numbers(),
        number: plan.first_number().to_owned(),
    })
}

async fn preview_send(Json(send): Json<Send>) -> Answer<SendPreview> {
    let (plan, request) = send.plan();
    answer(plan.preview(&request))
}

async fn guess(Json(Columns { columns, number_columns, parts }): Json<Columns>) -> Json<ColumnGuess> {
    Json(guess_columns(&columns, &number_columns, &parts))
}

async fn preview_a_text(Json(Text { settings, request }): Json<Text>) -> Answer<SendPreview> {
    answer(preview_text(&settings, &request, prepare_text(&settings, &request, TRACKING_PREVIEW)))
}

async fn check_recipient(Json(Number { settings, request }): Json<Number>) -> Json<RecipientCheck> {
    let country = NumberCountry::of(request.country.as_deref(), &settings);
    let (recipient, problem) = recipient::check_recipient(&request.number, country);
    Json(RecipientCheck { recipient, problems: problem.into_iter().collect() })
}

async fn compare(Json(request): Json<Compare>) -> Json<Vec<Change>> {
    Json(changes(&request.before, &request.after))
}

async fn compare_json(Json(request): Json<CompareJson>) -> Json<Vec<Line>> {
    Json(json_lines(&request.before, &request.after))
}

async fn explain_rejection(Json(request): Json<Rejected>) -> Json<Vec<Finding>> {
    Json(guidance(&request.template, request.reason.as_deref(), request.info.as_ref()))
}
