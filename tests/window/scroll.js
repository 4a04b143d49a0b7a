// arguments: accessible name of the list. Scrolls the list on every frame. Returns, for each way of scrolling, how many
// rows were rendered and in how many frames visible rows were blank or missing.
const [label, done] = arguments;
const grid = document.querySelector(`[role=grid][aria-label="${label}"]`);
const rowHeight = grid.querySelector("[role=row]").getBoundingClientRect().height;
const frame = () => new Promise(requestAnimationFrame);
const inspect = () => {
  const { top, bottom } = grid.getBoundingClientRect();
  const rows = [...grid.querySelectorAll("[role=row]")];
  const visible = rows.filter((row) => {
    const box = row.getBoundingClientRect();
    return box.bottom > top && box.top < bottom;
  });
  const covered = visible.reduce((sum, row) => {
    const box = row.getBoundingClientRect();
    return sum + Math.min(box.bottom, bottom) - Math.max(box.top, top);
  }, 0);
  const filled = visible.filter((row) => row.ariaBusy !== "true" && row.textContent.trim() !== "").length;
  const wanted = Math.min(bottom - top, grid.scrollHeight);
  // Allows two pixels for borders.
  return { rows: rows.length, blank: visible.length - filled, missing: Math.max(0, wanted - covered - 2) };
};
const key = (name) => grid.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
const results = {};
const measure = async (name, steps, step) => {
  const result = { frames: 0, blankFrames: 0, missingFrames: 0, longestBlank: 0, mostRows: 0, framesToRest: 0, atRest: null };
  let blankSince = 0;
  const sample = () => {
    const { rows, blank, missing } = inspect();
    result.mostRows = Math.max(result.mostRows, rows);
    result.missingFrames += missing > 0 ? 1 : 0;
    result.blankFrames += blank > 0 ? 1 : 0;
    blankSince = blank > 0 ? blankSince + 1 : 0;
    result.longestBlank = Math.max(result.longestBlank, blankSince);
    return blank === 0 && missing === 0;
  };
  for (let turn = 0; turn < steps; turn += 1) {
    step(turn);
    await frame();
    result.frames += 1;
    sample();
  }
  // At rest, no visible row is blank or missing. A list that is still incomplete after 600 frames fails the test.
  while (!sample() && result.framesToRest < 600) {
    result.framesToRest += 1;
    await frame();
  }
  result.atRest = inspect();
  result.place = grid.scrollTop / Math.max(1, grid.scrollHeight - grid.clientHeight);
  results[name] = result;
};
const scrollTo = (share) => () => {
  grid.scrollTop = share * (grid.scrollHeight - grid.clientHeight);
};
const scrollBy = (rows) => () => {
  grid.scrollTop += rows * rowHeight;
};
(async () => {
  grid.focus();
  await measure("rolled down", 40, scrollBy(8));
  await measure("jumped to the middle", 1, scrollTo(0.5));
  await measure("rolled up", 40, scrollBy(-8));
  await measure("End", 1, () => key("End"));
  await measure("PageUp", 20, () => key("PageUp"));
  await measure("Home", 1, () => key("Home"));
  await measure("PageDown", 20, () => key("PageDown"));
  await measure("dragged through", 20, (turn) => scrollTo((turn + 1) / 20)());
  await measure("back to the top", 1, scrollTo(0));
  done(results);
})();
