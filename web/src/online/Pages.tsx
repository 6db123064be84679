// Renders the online page of an address: lobby, invitation, account or administration. A table has
// a page of its own.

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { sayIn } from "../i18n/say";
import { language } from "../preferences";
import { Account } from "./Account";
import { Admin } from "./Admin";
import { EmailConfirmation } from "./EmailConfirmation";
import { Invitation } from "./Invitation";
import { Lobby } from "./Lobby";
import { PageFrame } from "./PageFrame";
import { SignIn } from "./SignIn";
import { me, meet, signedIn, why } from "./session";

export function Pages({ path }: { path: string }) {
  const wrong = useSignal("");
  useEffect(() => {
    void meet().catch((error: unknown) => {
      wrong.value = why(error);
    });
  }, []);
  if (me.value === null)
    return (
      <div class="empty-table">
        <p role={wrong.value === "" ? undefined : "alert"}>
          {wrong.value === "" ? "…" : wrong.value}
        </p>
      </div>
    );
  const token = /^\/join\/([^/]+)\/?$/.exec(path)?.[1];
  if (token !== undefined) return <Invitation token={decodeURIComponent(token)} />;
  const letter = /^\/confirm\/([^/]+)\/?$/.exec(path)?.[1];
  if (letter !== undefined) return <EmailConfirmation token={decodeURIComponent(letter)} />;
  if (path.startsWith("/account")) return signedIn.value ? <Account /> : <First here="account" />;
  if (path.startsWith("/admin")) return signedIn.value ? <Admin /> : <First here="admin" />;
  return <Lobby />;
}

/** A personal page needs a sign-in first. */
function First({ here }: { here: "account" | "admin" }) {
  return (
    <PageFrame here={here} title={sayIn(language.value)("signIn")}>
      {(say) => (
        <>
          <h1>{say("signIn")}</h1>
          <SignIn say={say} />
        </>
      )}
    </PageFrame>
  );
}
