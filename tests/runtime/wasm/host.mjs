// A host of a game's module in JavaScript, in Node as in a browser: what docs/native.md says of it.
export async function host(wasm, told) {
  const { instance } = await WebAssembly.instantiate(wasm);
  const game = instance.exports;
  for (const [name, value] of Object.entries(told.globals)) game[name].value = BigInt(value);
  for (const [at, data] of told.writes) {
    new Uint8Array(game.memory.buffer).set(Uint8Array.from(atob(data), (c) => c.charCodeAt(0)), at);
  }
  return {
    playouts(first, games) {
      game.playouts(BigInt(first), games);
      const view = new DataView(game.memory.buffer);
      return Array.from({ length: game.done.value }, (_, i) =>
        [0, 8, 16, 24].map((word) => Number(view.getBigInt64(told.results + i * told.result + word, true))));
    },
    layers(seed, options) {
      game.begin(BigInt(seed));
      for (const option of options) game.apply(BigInt(option));
      const view = new DataView(game.memory.buffer), found = [];
      for (let at = told.layers; at < game.layer_end.value; at += told.layer) {
        const words = [];
        for (let i = 8; i < told.layer; i += 8) words.push(view.getBigUint64(at + i, true).toString());
        found.push([Number(view.getBigInt64(at, true)), words]);
      }
      return found;
    },
    failure: () => Number(game.failure.value),
  };
}
