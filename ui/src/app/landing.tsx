import { modals } from "@mantine/modals";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Navigate, useRouter } from "@tanstack/react-router";
import { useEffect, useEffectEvent } from "react";
import { Loading } from "@/components/loading";
import { showFailure } from "@/components/show-failure";
import { useBootstrap, useWorkspace } from "@/lib/desk";
import { keys } from "@/lib/ipc/keys";
import { useCommand } from "@/lib/ipc/mutations";
import { lastScreen } from "./last-screen";
import { palette } from "./palette";

const route = getRouteApi("/");

/**
 * The way into another workspace: nothing is on the screen here, so that nothing of one
 * workspace is ever seen under the name of another.
 */
export function Landing() {
  const { workspace: asked, place } = route.useSearch();
  const { preferences, workspaces } = useBootstrap();
  const here = useWorkspace().id;
  const target = workspaces.find(({ id }) => id === asked)?.id ?? here;
  const client = useQueryClient();
  const router = useRouter();
  const save = useCommand("save_preferences");
  const landing = lastScreen(here);

  const enter = useEffectEvent((workspace: string) => {
    modals.closeAll();
    notifications.clean();
    palette.close();
    save.mutate(
      { ...preferences, workspace },
      {
        onSuccess: (saved) =>
          client.setQueryData(keys.bootstrap(), (before) => before && { ...before, preferences: saved }),
        onError: (failure) => {
          showFailure(failure);
          void router.navigate({ to: landing, replace: true });
        },
      },
    );
  });
  useEffect(() => {
    if (target !== here) enter(target);
  }, [target, here]);

  const go = useEffectEvent((to: string) => router.history.replace(to));
  const known = place !== undefined && isScreen(place, (path) => router.getMatchedRoutes(path)[2] !== undefined);
  const leads = target === here && known;
  useEffect(() => {
    if (leads && place !== undefined) go(place);
  }, [leads, place]);

  if (target !== here || leads) return <Loading />;
  return <Navigate to={landing} replace />;
}

/** Whether `place`, such as `/templates/REF?tab=history`, is an address of the window; what the host says is no link. */
export function isScreen(place: string, isRoute: (path: string) => boolean): boolean {
  if (!/^\/(?![/\\])/.test(place)) return false;
  const [path = ""] = place.split(/[?#]/);
  return path !== "/" && isRoute(path);
}
