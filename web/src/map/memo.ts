// A hook that renders a node again only if its key text changes.
import type { VNode } from "preact";
import { useRef } from "preact/hooks";

/** A part that is the same as last time is given as the same object, and the page does not look into it. */
export function useMemoizedNode(): (key: string, sign: string, make: () => VNode) => VNode {
  const kept = useRef(new Map<string, { sign: string; made: VNode }>());
  return (key, sign, make) => {
    const last = kept.current.get(key);
    if (last !== undefined && last.sign === sign) return last.made;
    const made = make();
    kept.current.set(key, { sign, made });
    return made;
  };
}
