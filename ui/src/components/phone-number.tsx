import type { ReactNode } from "react";

interface PhoneNumberProps {
  children: ReactNode;
  className?: string | undefined;
}

/** A phone number as it is read, from the left, also beside a name that is read from the right. */
export function PhoneNumber({ children, className }: PhoneNumberProps) {
  return (
    <bdi dir="ltr" className={className}>
      {children}
    </bdi>
  );
}
