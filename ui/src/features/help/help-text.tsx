import { Link } from "@tanstack/react-router";
import { Fragment, type ReactNode } from "react";
import type { HelpBlock, HelpInline } from "@/lib/help/tree";
import classes from "./help.module.css";

/** Parts of a page of the user guide. Everything becomes text nodes and elements. */
export function Blocks({ blocks }: { blocks: HelpBlock[] }): ReactNode {
  return blocks.map((block, index) => <Block key={index} block={block} />);
}

function Block({ block }: { block: HelpBlock }): ReactNode {
  switch (block.type) {
    case "paragraph":
      return (
        <p>
          <Inlines parts={block.children} />
        </p>
      );
    case "list": {
      const List = block.ordered ? "ol" : "ul";
      return (
        <List className={classes.list} data-ordered={block.ordered || undefined}>
          {block.items.map((item, index) => (
            <li key={index}>
              <Blocks blocks={item} />
            </li>
          ))}
        </List>
      );
    }
    case "table":
      return (
        <table className={classes.table}>
          <thead>
            <tr>
              {block.header.map((cell, index) => (
                <th key={index} scope="col">
                  <Inlines parts={cell} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {block.rows.map((row, index) => (
              <tr key={index}>
                {row.map((cell, column) => (
                  <td key={column}>
                    <Inlines parts={cell} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      );
    case "code":
      return <pre className={classes.code}>{block.text}</pre>;
  }
}

function Inlines({ parts }: { parts: HelpInline[] }): ReactNode {
  return parts.map((part, index) => <Inline key={index} part={part} />);
}

function Inline({ part }: { part: HelpInline }): ReactNode {
  switch (part.type) {
    case "text":
      return <Fragment>{part.text}</Fragment>;
    case "code":
      return <code>{part.text}</code>;
    case "strong":
      return (
        <strong>
          <Inlines parts={part.children} />
        </strong>
      );
    case "em":
      return (
        <em>
          <Inlines parts={part.children} />
        </em>
      );
    case "link":
      return (
        <Link to="/help" search={{ page: part.page }} className={classes.link}>
          <Inlines parts={part.children} />
        </Link>
      );
  }
}
