// The start page that is shown while the server is away: when it is back, the page that was wanted is loaded.
// It lives where this script does.
const HEALTH = new URL("api/health", document.currentScript.src);

async function look() {
  const isBack = await fetch(HEALTH, { cache: "no-store" }).then(
    (answer) => answer.ok,
    () => false,
  );
  if (isBack) location.reload();
}

setInterval(() => void look(), 2000);
document.querySelector("button")?.addEventListener("click", () => location.reload());
