// Renders the page of an invitation: accept it as a guest with a name, or sign in first.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { playables } from "../home/api";
import { type Say, sayIn } from "../i18n/say";
import { language } from "../preferences";
import type { Invited, Playable } from "../protocol.gen";
import { come, invitation } from "./api";
import { Field, Form } from "./Form";
import { PageFrame } from "./PageFrame";
import { SignIn } from "./SignIn";
import { goTo, me, signedIn, tablePath, why } from "./session";

export function Invitation({ token }: { token: string }) {
  const to = useSignal<Invited | null>(null),
    games = useSignal<Playable[]>([]),
    wrong = useSignal("");
  useEffect(() => {
    wrong.value = "";
    invitation(token).then(
      (found) => {
        to.value = found;
      },
      (error: unknown) => {
        wrong.value = why(error);
      },
    );
    playables(language.value).then(
      (found) => {
        games.value = found;
      },
      () => undefined,
    );
  }, [language.value]);
  return (
    <PageFrame here="join" title={sayIn(language.value)("invitation")}>
      {(say) => (
        <>
          <h1>{say("invitation")}</h1>
          {wrong.value !== "" && (
            <>
              <p class="wrong" role="alert">
                {wrong.value}
              </p>
              <p>
                <a class="act" href="/">
                  {say("lobby")}
                </a>
              </p>
            </>
          )}
          {to.value !== null && wrong.value === "" && (
            <Coming to={to.value} games={games.value} token={token} say={say} />
          )}
        </>
      )}
    </PageFrame>
  );
}

function Coming({
  to,
  games,
  token,
  say,
}: {
  to: Invited;
  games: readonly Playable[];
  token: string;
  say: Say;
}) {
  const name = useSignal(""),
    known = useSignal(false),
    side =
      games.find((game) => game.id === to.game)?.sides.find((each) => each.id === to.side)?.label ??
      to.side;
  const enter = async (as: string | null): Promise<void> => {
    goTo(tablePath((await come(token, as)).id));
  };
  return (
    <>
      <p class="invited">
        {side === null
          ? say("invitedToLook", { owner: to.owner, game: to.title })
          : say("invitedToPlay", { owner: to.owner, game: to.title, side })}
      </p>
      {signedIn.value ? (
        <Form
          button={side === null ? say("look") : say("sitDownAs", { side })}
          act={() => enter(null)}
        >
          <p class="hint">{say("youAre", { name: me.value?.name ?? "" })}</p>
        </Form>
      ) : (
        <>
          <div class="choose" role="group" aria-label={say("whoAreYou")}>
            <button
              type="button"
              aria-pressed={!known.value}
              onClick={() => {
                known.value = false;
              }}
            >
              {say("asGuest")}
            </button>
            <button
              type="button"
              aria-pressed={known.value}
              onClick={() => {
                known.value = true;
              }}
            >
              {say("withAccount")}
            </button>
          </div>
          {known.value ? (
            <SignIn say={say} />
          ) : (
            <Form
              button={side === null ? say("look") : say("sitDownAs", { side })}
              act={() => enter(name.value)}
              label={say("asGuest")}
            >
              <Field
                label={say("yourName")}
                value={name.value}
                set={(text) => {
                  name.value = text;
                }}
                name="nickname"
                autocomplete="nickname"
                hint={say("guestHint")}
                required
                maxLength={40}
              />
            </Form>
          )}
        </>
      )}
    </>
  );
}
