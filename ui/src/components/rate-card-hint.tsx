import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Trans } from "react-i18next";
import styles from "@/components/styles.module.css";

/** Where prices come from, for a workspace that has none. */
export function RateCardHint() {
  return (
    <p className={styles.small}>
      <Trans
        ns="costs"
        i18nKey="noCard"
        components={{
          prices: (
            <Anchor
              inherit
              underline="always"
              renderRoot={(props) => <Link to="/settings" search={{ section: "prices" }} {...props} />}
            />
          ),
        }}
      />
    </p>
  );
}
