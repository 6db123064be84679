// Pans and zooms the drawing directly in the DOM, without rendering a component.
import { signal } from "@preact/signals";
import type { Box, Point } from "./geometry";

/** The corner of the drawing's frame in the host, in pixels, and the pixels per unit. */
export interface View {
  x: number;
  y: number;
  scale: number;
}
/** The pixels of the host that are covered. */
export interface Cover {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const LARGEST = 4,
  LEGIBLE = 0.5,
  EDGE = 8,
  SETTLE = 140,
  GLIDE = 200,
  NO_COVER: Cover = { left: 0, top: 0, right: 0, bottom: 0 };

/**
 * The drawing has the size of its last settled scale. During a pan or pinch only its transform changes, so
 * browsers do not repaint it. At rest it is painted at its new size, and `settled` notifies the parts next to
 * the map.
 */
export class Camera {
  readonly settled = signal<View>({ x: 0, y: 0, scale: 1 });
  view: View = { x: 0, y: 0, scale: 1 };
  /** Called with the view at each move. */
  readonly watchers = new Set<(view: View) => void>();
  private width = 1;
  private height = 1;
  private painted = 0;
  private timer = 0;
  private gliding = 0;
  private mode: "whole" | "focus" | "free" = "whole";
  private focused: { boxes: Box[]; cover: Cover } = { boxes: [], cover: NO_COVER };

  constructor(
    readonly frame: Box,
    private readonly host: HTMLElement,
    private readonly drawing: SVGSVGElement,
  ) {}

  /** Set the size of the host. */
  resize(width: number, height: number): void {
    if (width < 2 || height < 2) return;
    const [dx, dy] = [(width - this.width) / 2, (height - this.height) / 2],
      first = this.painted === 0;
    [this.width, this.height] = [width, height];
    if (this.mode === "whole" || first) this.move(this.wholeView());
    if (this.mode === "focus") this.move(this.focusView());
    if (this.mode === "free") this.move({ ...this.view, x: this.view.x + dx, y: this.view.y + dy });
    this.settle();
  }

  whole(): void {
    this.mode = "whole";
    this.glide(this.wholeView());
  }

  /** Show these parts of the drawing as large as possible in the uncovered area. */
  focus(boxes: Box[], cover: Cover = NO_COVER): void {
    if (boxes.length === 0) {
      this.whole();
      return;
    }
    [this.mode, this.focused] = ["focus", { boxes, cover }];
    this.glide(this.focusView());
  }

  /** Show everything again after `focus`. */
  relax(): void {
    if (this.mode === "focus") this.whole();
  }

  /** Zoom around a point of the host, by default its middle. */
  zoom(by: number, [px, py]: Point = [this.width / 2, this.height / 2]): void {
    const scale = Math.min(LARGEST, Math.max(this.least(), this.view.scale * by)),
      k = scale / this.view.scale;
    this.mode = "free";
    this.move({ x: px - (px - this.view.x) * k, y: py - (py - this.view.y) * k, scale });
  }

  pan(dx: number, dy: number): void {
    this.mode = "free";
    this.move({ ...this.view, x: this.view.x + dx, y: this.view.y + dy });
  }

  /** The position of a point of the drawing in the host, in pixels. */
  screen([x, y]: Point, view: View = this.view): Point {
    return [view.x + (x - this.frame[0]) * view.scale, view.y + (y - this.frame[1]) * view.scale];
  }

  /** The visible part of the drawing. */
  seen(view: View = this.view): Box {
    const left = this.frame[0] - view.x / view.scale,
      top = this.frame[1] - view.y / view.scale;
    return [left, top, left + this.width / view.scale, top + this.height / view.scale];
  }

  /**
   * True if names are too small to read when everything is shown. `was` is the previous answer (null:
   * unknown). A little less room does not change it.
   */
  isCramped(was: boolean | null = null): boolean {
    return this.wholeView().scale < (was === false ? LEGIBLE * 0.9 : LEGIBLE);
  }

  size(): Point {
    return [this.width, this.height];
  }

  /** Scroll a part of the drawing into view if necessary. */
  reveal([left, top, right, bottom]: Box): void {
    const seen = this.seen();
    if (left >= seen[0] && top >= seen[1] && right <= seen[2] && bottom <= seen[3]) return;
    const [x, y] = this.screen([(left + right) / 2, (top + bottom) / 2]);
    if (x < 24 || y < 24 || x > this.width - 24 || y > this.height - 24)
      this.pan(this.width / 2 - x, this.height / 2 - y);
  }

  private units(): Point {
    return [this.frame[2] - this.frame[0], this.frame[3] - this.frame[1]];
  }
  private least(): number {
    return this.wholeView().scale * 0.8;
  }

  private wholeView(): View {
    const [w, h] = this.units(),
      pad = Math.min(8, this.width / 40),
      scale = Math.min(LARGEST / 2, (this.width - 2 * pad) / w, (this.height - 2 * pad) / h);
    return { scale, x: (this.width - w * scale) / 2, y: (this.height - h * scale) / 2 };
  }

  private focusView(): View {
    const { boxes, cover } = this.focused,
      margin = 46;
    const left = Math.min(...boxes.map((b) => b[0])) - margin,
      top = Math.min(...boxes.map((b) => b[1])) - margin;
    const right = Math.max(...boxes.map((b) => b[2])) + margin,
      bottom = Math.max(...boxes.map((b) => b[3])) + margin;
    const width = Math.max(80, this.width - cover.left - cover.right),
      height = Math.max(80, this.height - cover.top - cover.bottom);
    const scale = Math.max(
      this.wholeView().scale,
      Math.min(LARGEST / 2, width / (right - left), height / (bottom - top)),
    );
    const [w, h] = this.units(),
      middle: Point = [(left + right) / 2 - this.frame[0], (top + bottom) / 2 - this.frame[1]];
    return {
      scale,
      x: cover.left + filled(width / 2 - middle[0] * scale, w * scale, width),
      y: cover.top + filled(height / 2 - middle[1] * scale, h * scale, height),
    };
  }

  /** Limit a view so that some of the drawing stays visible. */
  private held({ x, y, scale }: View): View {
    const [w, h] = this.units(),
      hold = (at: number, size: number, room: number): number => {
        const slack = size <= room ? Math.max(0, (room - size) / 2) + size * 0.25 : room * 0.45;
        return size <= room
          ? Math.min((room - size) / 2 + slack, Math.max((room - size) / 2 - slack, at))
          : Math.min(slack, Math.max(room - size - slack, at));
      };
    return { scale, x: hold(x, w * scale, this.width), y: hold(y, h * scale, this.height) };
  }

  private move(view: View): void {
    cancelAnimationFrame(this.gliding);
    this.show(this.held(view));
  }

  private show(view: View): void {
    this.view = view;
    if (this.painted === 0) return;
    this.drawing.style.transform = `translate3d(${view.x}px, ${view.y}px, 0) scale(${view.scale / this.painted})`;
    for (const watch of this.watchers) watch(view);
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.settle(), SETTLE);
  }

  private glide(to: View): void {
    cancelAnimationFrame(this.gliding);
    const from = this.view,
      goal = this.held(to),
      calm = matchMedia("(prefers-reduced-motion: reduce)").matches || this.painted === 0;
    if (calm) {
      this.show(goal);
      this.settle();
      return;
    }
    const begin = performance.now(),
      step = (now: number): void => {
        const t = Math.min(1, Math.max(0, (now - begin) / GLIDE)),
          e = t * (2 - t),
          part = (a: number, b: number): number => a + (b - a) * e;
        this.show({
          x: part(from.x, goal.x),
          y: part(from.y, goal.y),
          scale: part(from.scale, goal.scale),
        });
        if (t < 1) this.gliding = requestAnimationFrame(step);
      };
    this.gliding = requestAnimationFrame(step);
  }

  /** Paint the drawing at its current size. */
  private settle(): void {
    clearTimeout(this.timer);
    const dot = window.devicePixelRatio || 1,
      whole = (at: number): number => Math.round(at * dot) / dot,
      [w, h] = this.units();
    const view = { x: whole(this.view.x), y: whole(this.view.y), scale: this.view.scale };
    if (this.painted !== view.scale) {
      this.painted = view.scale;
      this.drawing.style.width = `${w * view.scale}px`;
      this.drawing.style.height = `${h * view.scale}px`;
    }
    this.view = view;
    this.drawing.style.transform = `translate3d(${view.x}px, ${view.y}px, 0)`;
    this.host.dataset.settled = "";
    const last = this.settled.peek();
    if (last.x !== view.x || last.y !== view.y || last.scale !== view.scale)
      this.settled.value = view;
    for (const watch of this.watchers) watch(view);
  }
}

/** The start of a drawing of some size, so that no more room than necessary is empty. */
const filled = (at: number, size: number, room: number): number =>
  size <= room ? (room - size) / 2 : Math.min(EDGE, Math.max(room - size - EDGE, at));
