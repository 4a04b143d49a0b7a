import { type MantineColorScheme, MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Preferences } from "@/bindings/app";
import { ErrorNotice } from "@/components/error-notice";
import { useAppearance } from "@/lib/appearance";
import { useIsDrawn } from "@/lib/first-frame";
import { showLanguage } from "@/lib/i18n/i18n";
import { followEvents } from "@/lib/ipc/events";
import { queries } from "@/lib/ipc/queries";
import { createQueryClient } from "@/lib/ipc/query-client";
import { firstScreen } from "./first-screen";
import { styleNonce } from "./nonce";
import { PageBoundary } from "./page-boundary";
import { cssVariables, theme } from "./theme";

export function App() {
  const [client] = useState(createQueryClient);
  useEffect(() => followEvents(client), [client]);
  return (
    <QueryClientProvider client={client}>
      <Start />
    </QueryClientProvider>
  );
}

/** Asks the host for what is needed before anything can be shown, and shows it in the right language and colours. */
function Start() {
  const bootstrap = useQuery(queries.bootstrap());
  const first = useQuery(firstScreen());
  const language = useLanguage(bootstrap.isPending ? undefined : (bootstrap.data?.preferences.language ?? ""));
  if (!language || first.isPending) return null;
  return (
    <Surroundings preferences={bootstrap.data?.preferences ?? DEFAULTS}>
      <PageBoundary>
        {first.data ? (
          <RouterProvider router={first.data} />
        ) : (
          <StartFailed retry={() => first.refetch()} error={first.error} />
        )}
      </PageBoundary>
    </Surroundings>
  );
}

function StartFailed({ error, retry }: { error: Error | null; retry: () => void }) {
  const { t } = useTranslation("shell");
  return (
    <main style={{ maxWidth: "40rem", margin: "10vh auto", padding: "1rem" }}>
      <h1 style={{ marginBlock: "0.67em" }}>{t("startFailed")}</h1>
      <ErrorNotice error={error} onRetry={retry} />
    </main>
  );
}

const SCHEMES: Record<Preferences["colorScheme"], MantineColorScheme> = {
  system: "auto",
  light: "light",
  dark: "dark",
};

/** What of the preferences shows before any screen. */
type Looks = Pick<Preferences, "colorScheme" | "textScale" | "density" | "contrast">;

/** Where the preferences cannot be read. */
const DEFAULTS: Looks = { colorScheme: "system", textScale: 100, density: "comfortable", contrast: "system" };

function Surroundings({ preferences, children }: { preferences: Looks; children: ReactNode }) {
  const scheme = SCHEMES[preferences.colorScheme];
  useAppearance(preferences);
  const isDrawn = useIsDrawn();
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      getStyleNonce={styleNonce}
      {...(scheme === "auto" ? {} : { forceColorScheme: scheme })}
      defaultColorScheme="auto"
    >
      {isDrawn && <Notifications position="bottom-right" limit={3} />}
      {children}
    </MantineProvider>
  );
}

/** The language shown, once its texts are at hand. */
function useLanguage(chosen: string | undefined): string | undefined {
  const [shown, setShown] = useState<string>();
  useEffect(() => {
    if (chosen === undefined) return;
    let current = true;
    showLanguage(chosen).then(
      () => current && setShown(chosen === "" ? "system" : chosen),
      // The texts ship with the app; without them there is nothing to say it with.
      (reason: unknown) => console.error("the texts of the window cannot be loaded", reason),
    );
    return () => {
      current = false;
    };
  }, [chosen]);
  return shown;
}
