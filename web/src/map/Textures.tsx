// Renders the patterns of the ground, and the head of the arrow, as definitions of the SVG.

const WAVES = "M2 8q5-5 10 0t10 0M24 22q5-5 10 0t10 0";

/** The elements to which a drawing refers as `url(#<prefix>-<name>)`. */
export function Textures({ prefix }: { prefix: string }) {
  return (
    <defs>
      <pattern id={`${prefix}-hachure`} width="46" height="34" patternUnits="userSpaceOnUse">
        <path class="tx" d="M6 13l5-8 6 8M29 30l6-9 6.5 9M11 5l2 8M35 21l2.5 9" />
      </pattern>
      <pattern id={`${prefix}-marsh`} width="44" height="30" patternUnits="userSpaceOnUse">
        <path
          class="tx green"
          d="M4 9h13M26 24h13M8 9V4M10.5 9V2M13 9V5M30 24v-5M32.5 24v-7M35 24v-4"
        />
      </pattern>
      <pattern
        id={`${prefix}-town`}
        width="30"
        height="30"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(18)"
      >
        <path class="tx" d="M3 4h8v6H3zM18 8h6v8h-6zM6 19h7v6H6zM20 23h7v4h-7z" />
      </pattern>
      <pattern id={`${prefix}-sand`} width="22" height="22" patternUnits="userSpaceOnUse">
        <path class="tx dots" d="M4 5h0M14 11h0M8 18h0M19 3h0" />
      </pattern>
      <pattern id={`${prefix}-wood`} width="40" height="36" patternUnits="userSpaceOnUse">
        <path class="tx green" d="M10 3l-5 9h10zM10 12v4M30 20l-5 9h10zM30 29v4" />
      </pattern>
      <pattern id={`${prefix}-waves`} width="48" height="30" patternUnits="userSpaceOnUse">
        <path class="tx blue" d={WAVES} />
      </pattern>
      <marker
        id={`${prefix}-arrow`}
        viewBox="0 0 10 10"
        refX="6"
        refY="5"
        markerWidth="4.2"
        markerHeight="4.2"
        orient="auto-start-reverse"
      >
        <path d="M0 0L10 5 0 10z" class="arrow-head" />
      </marker>
      <marker
        id={`${prefix}-way`}
        viewBox="0 0 10 10"
        refX="9"
        refY="5"
        markerWidth="5"
        markerHeight="5"
        orient="auto-start-reverse"
      >
        <path d="M0 0L10 5 0 10z" class="way-head" />
      </marker>
    </defs>
  );
}
