import { Component, type ErrorInfo, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { FailureDetails } from "@/components/failure-details";
import classes from "./page-boundary.module.css";

interface Failed {
  error: unknown;
  components?: string;
}

/** Shown instead of everything if what is around the screens fails; a failed screen leaves the rest as it is. */
export class PageBoundary extends Component<{ children: ReactNode }, { failed?: Failed }> {
  override state: { failed?: Failed } = {};

  static getDerivedStateFromError(error: unknown) {
    return { failed: { error } };
  }

  override componentDidCatch(error: unknown, { componentStack }: ErrorInfo) {
    this.setState({ failed: { error, components: componentStack ?? "" } });
  }

  override render() {
    const { failed } = this.state;
    return failed ? <PageFailed {...failed} /> : this.props.children;
  }
}

function PageFailed({ error, components }: Failed) {
  const { t } = useTranslation("shell");
  return (
    <main className={classes.failed} role="alert">
      <h1>{t("crash.page")}</h1>
      <p>{t("crash.text")}</p>
      {components !== undefined && <FailureDetails error={error} components={components} />}
    </main>
  );
}
