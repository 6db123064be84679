// A hook that renders a node again only if its key text changes.
import type { VNode } from "preact";
import { useRef } from "preact/hooks";

/** Return an unchanged part as the same object, so that the page does not compare its contents. */
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
