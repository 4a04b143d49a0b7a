//! Builds the message from the form values, with all problems that prevent it.

use std::collections::HashMap;

use model::vocabulary::TemplateStatus;

use crate::messaging::Messaging;
use crate::opt_outs::opt_outs;
use command_types::error::Result;
use command_types::send::{SendRequest, TemplateStanding};
use outgoing::message::{MARKETING_WINDOW, OptOuts, SendPlan};
use outgoing::now;
use outgoing::recipient::{alternative_numbers, check_addressee, person_key};

impl Messaging {
    pub(crate) async fn send_plan(&self, workspace: &str, reference: &str) -> Result<SendPlan> {
        let cached = self.0.templates.cached(workspace, reference).await?;
        // A template approved in one of several WABAs can be sent from that WABA's numbers.
        let waba_statuses = self.0.templates.waba_statuses(workspace, reference).await?;
        let usable = waba_statuses.iter().find(|of| TemplateStatus::from(of.status.as_str()).is_sendable());
        let category_before = match cached.row.asked_category.clone().filter(|_| cached.row.is_category_changed()) {
            Some(before) => {
                let category = cached.row.category.to_lowercase();
                let is_known = self.0.context.desk.has_sent_in(workspace, reference, &category).await?;
                (!is_known).then_some(before)
            }
            None => None,
        };
        Ok(SendPlan {
            category_before,
            settings: self.0.workspaces.settings(workspace).await?,
            template: crate::templates::read(&cached)?.template,
            standing: TemplateStanding {
                status: usable.map_or(cached.row.status, |of| of.status.clone()),
                archived: cached.row.archived == Some(true),
                cached_at: Some(cached.row.asked.at).filter(|at| *at > 0),
            },
            wabas: cached.row.wabas,
            waba_statuses,
            opt_outs: OptOuts::default(),
            recent_marketing: HashMap::new(),
        })
    }

    /// The plan of a send to one person, with whether they have stopped marketing messages.
    pub(crate) async fn send_plan_for(&self, request: &SendRequest) -> Result<SendPlan> {
        let mut plan = self.send_plan(&request.workspace, &request.reference).await?;
        let (to, _) = check_addressee(&request.to, request.country.as_deref(), &plan.settings);
        if let Some(id) = to.addressee() {
            plan.opt_outs = self.opt_outs(&plan, &request.workspace, Some(&[id.to_owned()])).await?;
        }
        Ok(plan)
    }

    /// The plan of a send to one person that is no row of a batch, also with what they were sent lately.
    pub(in crate::messaging) async fn single_send_plan(&self, request: &SendRequest) -> Result<SendPlan> {
        let mut plan = self.send_plan_for(request).await?;
        let (to, _) = check_addressee(&request.to, request.country.as_deref(), &plan.settings);
        if let Some(id) = to.addressee() {
            plan.recent_marketing = self.recent_marketing(&plan, &request.workspace, Some(id)).await?;
        }
        Ok(plan)
    }

    /// When people were last sent a marketing template from here, within [`MARKETING_WINDOW`]: one person or all, if it matters
    /// to the send.
    pub(in crate::messaging) async fn recent_marketing(
        &self,
        plan: &SendPlan,
        workspace: &str,
        person: Option<&str>,
    ) -> Result<HashMap<String, i64>> {
        if !plan.is_marketing() {
            return Ok(HashMap::new());
        }
        let (desk, since) = (&self.0.context.desk, now().saturating_sub(MARKETING_WINDOW));
        let people = match person {
            Some(person) => desk.marketing_to(workspace, since, &alternative_numbers(person)).await?,
            None => desk.sent_people(workspace, since, true).await?,
        };
        let mut recent: HashMap<String, i64> = HashMap::new();
        for person in people {
            let last = recent.entry(person_key(&person.recipient)).or_default();
            *last = person.last_at.max(*last);
        }
        Ok(recent)
    }

    /// Of the people asked about, or of all, what is known about stopped marketing messages, if it matters to the send.
    pub(in crate::messaging) async fn opt_outs(
        &self,
        plan: &SendPlan,
        workspace: &str,
        asked: Option<&[String]>,
    ) -> Result<OptOuts> {
        if !plan.is_marketing() {
            return Ok(OptOuts::default());
        }
        opt_outs(&self.0.context, workspace, plan.settings.clone(), asked).await
    }
}
