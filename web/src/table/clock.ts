import { t } from "../lib/messages";

/** "4:05", "0:09.3" under ten seconds, "2 days" for slow games. */
export function clockText(milliseconds: number): string {
  const left = Math.max(0, milliseconds);
  const seconds = Math.floor(left / 1000);
  if (seconds >= 2 * 86_400) return t("clock.left.days", { count: Math.floor(seconds / 86_400) });
  const two = (value: number) => String(value).padStart(2, "0");
  if (seconds >= 3600) return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  const rest = left < 10_000 ? `.${Math.floor(left / 100) % 10}` : "";
  return `${Math.floor(seconds / 60)}:${two(seconds % 60)}${rest}`;
}
