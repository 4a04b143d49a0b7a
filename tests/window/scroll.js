// arguments: accessible name of the list. Moves through a list of any length as fast as frames come, and answers what was
// seen in each frame: rows that were drawn, and rows in sight that were blank or missing.
const [label, done] = arguments;
const grid = document.querySelector(`[role=grid][aria-label="${label}"]`);
const rowHeight = grid.querySelector("[role=row]").getBoundingClientRect().height;
const frame = () => new Promise(requestAnimationFrame);
const look = () => {
  const { top, bottom } = grid.getBoundingClientRect();
  const rows = [...grid.querySelectorAll("[role=row]")];
  const inSight = rows.filter((row) => {
    const box = row.getBoundingClientRect();
    return box.bottom > top && box.top < bottom;
  });
  const covered = inSight.reduce((sum, row) => {
    const box = row.getBoundingClientRect();
    return sum + Math.min(box.bottom, bottom) - Math.max(box.top, top);
  }, 0);
  const filled = inSight.filter((row) => row.ariaBusy !== "true" && row.textContent.trim() !== "").length;
  const wanted = Math.min(bottom - top, grid.scrollHeight);
  // A hair of a border may be left over.
  return { rows: rows.length, blank: inSight.length - filled, missing: Math.max(0, wanted - covered - 2) };
};
const key = (name) => grid.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
const seen = {};
const walk = async (name, steps, step) => {
  const told = { frames: 0, blankFrames: 0, missingFrames: 0, longestBlank: 0, mostRows: 0, framesToRest: 0, atRest: null };
  let blankSince = 0;
  const sample = () => {
    const { rows, blank, missing } = look();
    told.mostRows = Math.max(told.mostRows, rows);
    told.missingFrames += missing > 0 ? 1 : 0;
    told.blankFrames += blank > 0 ? 1 : 0;
    blankSince = blank > 0 ? blankSince + 1 : 0;
    told.longestBlank = Math.max(told.longestBlank, blankSince);
    return blank === 0 && missing === 0;
  };
  for (let turn = 0; turn < steps; turn += 1) {
    step(turn);
    await frame();
    told.frames += 1;
    sample();
  }
  // It has come to rest when what is in sight is there; a list that never is fails after many frames.
  while (!sample() && told.framesToRest < 600) {
    told.framesToRest += 1;
    await frame();
  }
  told.atRest = look();
  told.place = grid.scrollTop / Math.max(1, grid.scrollHeight - grid.clientHeight);
  seen[name] = told;
};
const jump = (share) => () => {
  grid.scrollTop = share * (grid.scrollHeight - grid.clientHeight);
};
const by = (rows) => () => {
  grid.scrollTop += rows * rowHeight;
};
(async () => {
  grid.focus();
  await walk("rolled down", 40, by(8));
  await walk("jumped to the middle", 1, jump(0.5));
  await walk("rolled up", 40, by(-8));
  await walk("End", 1, () => key("End"));
  await walk("PageUp", 20, () => key("PageUp"));
  await walk("Home", 1, () => key("Home"));
  await walk("PageDown", 20, () => key("PageDown"));
  await walk("dragged through", 20, (turn) => jump((turn + 1) / 20)());
  await walk("back to the top", 1, jump(0));
  done(seen);
})();
