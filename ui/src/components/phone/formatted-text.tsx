import { memo, type ReactNode } from "react";
import type { Block, Run } from "@/bindings/model";
import classes from "./phone.module.css";

/** Paragraphs of formatted runs, exactly as they were rendered. */
export function FormattedText({ blocks }: { blocks: Block[] }) {
  return (
    <div className={classes.text}>
      {blocks.map((block, index) => (
        <BlockView key={index} block={block} />
      ))}
    </div>
  );
}

function BlockView({ block }: { block: Block }) {
  switch (block.kind) {
    case "line":
      return <p>{block.runs.length === 0 ? " " : <Runs runs={block.runs} />}</p>;
    case "bullet":
      return (
        <p className={classes.item}>
          <span aria-hidden>•</span>
          <span>
            <Runs runs={block.runs} />
          </span>
        </p>
      );
    case "numbered":
      return (
        <p className={classes.item}>
          <span>{block.number}.</span>
          <span>
            <Runs runs={block.runs} />
          </span>
        </p>
      );
    case "quote":
      return (
        <blockquote className={classes.quote}>
          <Runs runs={block.runs} />
        </blockquote>
      );
    case "code":
      return <pre className={classes.code}>{block.text}</pre>;
  }
}

function Runs({ runs }: { runs: Run[] }) {
  return runs.map((run, index) => <RunView key={index} run={run} />);
}

// A long text has hundreds, of which a key changes one.
const RunView = memo(function RunView({ run }: { run: Run }) {
  let view: ReactNode = run.text;
  if (run.code) view = <code>{view}</code>;
  if (run.strike) view = <s>{view}</s>;
  if (run.italic) view = <em>{view}</em>;
  if (run.bold) view = <strong>{view}</strong>;
  return run.variable ? <span className={classes.variable}>{view}</span> : view;
});
