import { type NavigateOptions, useRouter } from "@tanstack/react-router";

/** Goes to the screen one came from, with its filters; to `fallback` where the window began here. */
export function useGoBack(): (fallback: NavigateOptions) => void {
  const router = useRouter();
  return (fallback) => (router.history.canGoBack() ? router.history.back() : void router.navigate(fallback));
}
