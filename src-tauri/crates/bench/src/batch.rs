//! The check of a batch of 100,000 rows, as the window makes it.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;

use app::{Core, SANDBOX_ID};
use command_types::batch::{BatchPlanRequest, BatchSource, ValueSource, ValueTransform};
use command_types::send::SendOptions;

use crate::options::Options;
use crate::sync;
use crate::table::{Goal, Table};

const ROW: &str = "P18";
const ROWS: u32 = 100_000;

pub(crate) fn measure(options: &Options, folder: &Path, table: &mut Table) -> anyhow::Result<()> {
    if !options.includes(ROW) {
        return Ok(());
    }
    let folder = tempfile::tempdir_in(folder)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let core = runtime.block_on(sync::listed_desk(folder.path()))?;
    let request = runtime.block_on(request(&core, folder.path()))?;
    let (mut checked, mut planned) = (Vec::new(), Vec::new());
    for _ in 0..options.rounds {
        let started = Instant::now();
        let plan = runtime.block_on(core.messaging.check_batch(&request))?;
        checked.push(started.elapsed().as_secs_f64());
        anyhow::ensure!(plan.good == ROWS, "{} rows of {ROWS} can be sent: {:?}", plan.good, plan.problems.first());
        let started = Instant::now();
        runtime.block_on(core.messaging.plan_batch(request.clone()))?;
        planned.push(started.elapsed().as_secs_f64());
    }
    runtime.block_on(core.close());
    let note = "five parts of a marketing template, one a date, one in title case";
    table.add(ROW, "100,000 rows: the check of a batch", Goal::AtMost(1.0), "s", checked, note);
    table.add(ROW, "100,000 rows: the check, and its plan stored", Goal::AtMost(3.0), "s", planned, note);
    Ok(())
}

async fn request(core: &Core, folder: &Path) -> anyhow::Result<BatchPlanRequest> {
    let mut text = "telefone,nome,pedido,dia,fim\n".to_owned();
    for row in 0..ROWS {
        let (ddd, day) = (11 + row % 9, 1 + row % 28);
        writeln!(
            text,
            "+55 {ddd} 9{:04}-{:04},MARIA DA SILVA {row},#{row},2026-12-{day:02},{row}",
            8_000 + row / 10_000,
            row % 10_000
        )?;
    }
    let path = folder.join("people.csv");
    std::fs::write(&path, text)?;
    let file = core.messaging.read_csv(&path).await?;
    let column = |part: &str, column: &str, transform| {
        (part.to_owned(), ValueSource::Column { column: column.to_owned(), fallback: None, transform })
    };
    let values = [
        column("header.1", "pedido", None),
        column("body.1", "nome", Some(ValueTransform::TitleCase)),
        column("body.2", "pedido", None),
        column("body.3", "dia", Some(ValueTransform::Date { order: None })),
        column("button.0.url", "fim", None),
    ];
    Ok(BatchPlanRequest {
        workspace: SANDBOX_ID.to_owned(),
        reference: sync::APPROVED_MARKETING.to_owned(),
        number: "1".to_owned(),
        options: SendOptions { track: true, ..SendOptions::default() },
        country: None,
        source: BatchSource::Csv {
            file: file.id,
            to: "telefone".to_owned(),
            name: Some("nome".to_owned()),
            values: values.into(),
        },
    })
}
