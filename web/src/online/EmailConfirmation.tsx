// Renders the page of a confirmation link. Only its button confirms the address, because mail
// programs open links by themselves.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { sayIn } from "../i18n/say";
import { language } from "../preferences";
import type { Confirming } from "../protocol.gen";
import { confirm, confirming } from "./api";
import { Form } from "./Form";
import { PageFrame } from "./PageFrame";
import { why } from "./session";

export function EmailConfirmation({ token }: { token: string }) {
  const asked = useSignal<Confirming | null>(null),
    done = useSignal(false),
    wrong = useSignal("");
  useEffect(() => {
    wrong.value = "";
    confirming(token).then(
      (found) => {
        asked.value = found;
      },
      (error: unknown) => {
        wrong.value = why(error);
      },
    );
  }, [language.value]);
  return (
    <PageFrame here="account" title={sayIn(language.value)("confirmMail")}>
      {(say) => (
        <>
          <h1>{say("confirmMail")}</h1>
          {wrong.value !== "" && (
            <p class="wrong" role="alert">
              {wrong.value}
            </p>
          )}
          {asked.value !== null && wrong.value === "" && (
            <p>
              {say(done.value ? "confirmedNow" : "confirmWhose", {
                mail: asked.value.mail,
                name: asked.value.name,
              })}
            </p>
          )}
          {asked.value !== null && wrong.value === "" && !done.value && (
            <Form
              label={say("confirmMail")}
              button={say("confirmYes")}
              act={async () => {
                await confirm(token);
                done.value = true;
              }}
            >
              <p class="hint">{say("confirmHint", { name: asked.value.name })}</p>
            </Form>
          )}
          {(done.value || wrong.value !== "") && (
            <p>
              <a class="act" href="/account">
                {say("account")}
              </a>
            </p>
          )}
        </>
      )}
    </PageFrame>
  );
}
