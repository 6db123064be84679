// Takes a piece; makes its counter, as a part of a drawing or as a picture by itself.
import type { Game } from "../game";

/** `many`: how many lie in the pile; `sum`: their strength. */
export interface Faces { reduced?: boolean; many?: number; sum?: number | null }

/** A picture of a piece, `size` pixels wide. */
export function CounterPicture({ size }: { game: Game; id: string; size: number } & Faces) {
  return <svg class="counter" viewBox="0 0 48 48" width={size} height={size} aria-hidden="true" />;
}

/** The emblem of a side in a disc of its colour. */
export function Emblem({ size = 20 }: { game: Game; side: string | null; size?: number }) {
  return <svg class="emblem" viewBox="-4 -4 32 32" width={size} height={size} aria-hidden="true" />;
}
