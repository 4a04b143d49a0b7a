// Plans and submissions of the fake host.

import type { Draft, PlannedRequest } from "@/bindings/app";
import type { Handlers } from "./fake-host";
import type { FakeTemplate } from "./fixtures";
import * as rules from "./rules";

interface SubmissionState {
  templates: readonly FakeTemplate[];
  drafts: Map<string, Draft>;
  draftOf: (id: string) => Draft;
  find: (reference: string) => FakeTemplate;
  chosen: URLSearchParams;
}

export function submissionHandlers({
  templates,
  drafts,
  draftOf,
  find,
  chosen,
}: SubmissionState): Pick<Handlers, "plan_submission" | "submit_draft"> {
  return {
    plan_submission: async ({ draft: id }) => {
      const draft = draftOf(id);
      const { template, edits } = draft;
      const original = edits ? find(edits).template : undefined;
      return {
        findings: await rules.draftFindings(draft),
        needsOverride: [],
        changes: original ? await rules.compare(original, template) : [],
        before: original ? await rules.render(original) : null,
        after: await rules.render(template),
        requests: edits == null ? creationRequests(draft) : [editRequest(draft, edits)],
      };
    },
    submit_draft: ({ draft }) => {
      const { wabaIds } = draftOf(draft);
      if (chosen.get("submit") === "refused") {
        return {
          complete: false,
          draftKept: false,
          reference: null,
          steps: [
            {
              wabaIds,
              outcome: {
                state: "refused",
                findings: [
                  {
                    code: "provider",
                    severity: "error",
                    path: "/name",
                    message: "The name is being used by a template in deletion.",
                    values: { code: "2388023" },
                    source: "service-spec §7",
                    fixable: false,
                  },
                ],
                error: {
                  code: "service",
                  status: 400,
                  errorCode: "2388023",
                  message: "Invalid parameter",
                  details: "The name is being used by a template in deletion.",
                  field: "name",
                  body: '{"message":"Invalid parameter","details":"The name is being used by a template in deletion.","field":"name"}',
                },
              },
            },
          ],
        };
      }
      drafts.delete(draft);
      const reference = templates[1]?.row.reference ?? null;
      return {
        complete: true,
        draftKept: false,
        reference,
        steps: [{ wabaIds, outcome: { state: "accepted", reference, changes: [] } }],
      };
    },
  };
}

const ADDRESS = "https://provider.example/messaging/provider/workspace-templates";

function creationRequests({ template, wabaIds, headerFile }: Draft): PlannedRequest[] {
  if (!headerFile) {
    return [
      {
        wabaIds,
        method: "POST",
        url: ADDRESS,
        json: JSON.stringify({ waba_ids: wabaIds, ...template }),
        parts: [],
        curl: `curl -X POST ${ADDRESS} -H "Authorization: Bearer $TOKEN" -d @body.json`,
      },
    ];
  }
  return wabaIds.map((waba) => ({
    wabaIds: [waba],
    method: "POST",
    url: ADDRESS,
    json: null,
    parts: [
      { name: "waba_ids", value: waba },
      { name: "name", value: template.name },
      { name: "components", value: JSON.stringify(template.components) },
      { name: "header_file", fileName: headerFile.name, size: headerFile.size },
    ],
    curl: `curl -X POST ${ADDRESS} -H "Authorization: Bearer $TOKEN" -F waba_ids=${waba} -F header_file=@${headerFile.name}`,
  }));
}

/** An edit is one request for all WABAs of the template, and names none of them. */
function editRequest({ template, headerFile }: Draft, reference: string): PlannedRequest {
  const { category, components } = template;
  const url = `${ADDRESS}/${reference}`;
  const curl = `curl -X PUT ${url} -H "Authorization: Bearer $TOKEN"`;
  if (!headerFile) {
    const json = JSON.stringify({ category, components });
    return { wabaIds: [], method: "PUT", url, json, parts: [], curl: `${curl} -d @body.json` };
  }
  const parts = [
    { name: "components", value: JSON.stringify(components) },
    { name: "header_file", fileName: headerFile.name, size: headerFile.size },
  ];
  return { wabaIds: [], method: "PUT", url, json: null, parts, curl: `${curl} -F header_file=@${headerFile.name}` };
}
