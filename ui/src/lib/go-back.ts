import { type HistoryState, type NavigateOptions, useRouter } from "@tanstack/react-router";

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** How many entries before this one belong to the task that it is a step of, such as filling in a form. */
    earlierSteps?: number;
    /** How many entries before this one belong to a task that is done: the way back passes over them. */
    passedOver?: number;
  }
}

/** The state of an entry that is the next step of a task. */
export const nextStep = ({ earlierSteps = 0 }: HistoryState): HistoryState => ({ earlierSteps: earlierSteps + 1 });

/** The state of an entry that replaces the last step of a task. */
export const taskDone = ({ earlierSteps = 0 }: HistoryState): HistoryState => ({ passedOver: earlierSteps });

/** Goes to the screen one came from, with its filters; to `fallback` where the window began here. */
export function useGoBack(): (fallback: NavigateOptions) => void {
  const { history, navigate } = useRouter();
  return (fallback) => {
    const { __TSR_index: index = 0, passedOver = 0 } = history.location.state;
    if (index > passedOver) history.go(-passedOver - 1);
    else void navigate(fallback);
  };
}
