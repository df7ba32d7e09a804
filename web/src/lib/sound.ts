// Short wooden sounds, made on the spot: a knock is a dull tone and a little noise, both gone in a tenth of a second.

import { prefs } from "./prefs.svelte";

let room: AudioContext | undefined;

function knock(pitch: number, loud: number, delay = 0) {
  room ??= new AudioContext();
  const at = room.currentTime + delay;
  const body = room.createOscillator();
  const shape = room.createGain();
  body.type = "triangle";
  body.frequency.setValueAtTime(pitch, at);
  body.frequency.exponentialRampToValueAtTime(pitch * 0.6, at + 0.09);
  shape.gain.setValueAtTime(loud, at);
  shape.gain.exponentialRampToValueAtTime(0.001, at + 0.12);
  body.connect(shape).connect(room.destination);
  body.start(at);
  body.stop(at + 0.13);

  const noise = room.createBufferSource();
  const buffer = room.createBuffer(1, Math.ceil(room.sampleRate * 0.03), room.sampleRate);
  const data = buffer.getChannelData(0);
  for (let i = 0; i < data.length; i++) data[i] = (Math.random() * 2 - 1) * (1 - i / data.length);
  const filter = room.createBiquadFilter();
  filter.type = "bandpass";
  filter.frequency.value = pitch * 4;
  const soft = room.createGain();
  soft.gain.value = loud * 0.5;
  noise.buffer = buffer;
  noise.connect(filter).connect(soft).connect(room.destination);
  noise.start(at);
}

export function play(what: "move" | "take" | "turn" | "chat" | "end") {
  // Browsers let no page make a sound before somebody has touched it.
  if (!prefs.sound || navigator.userActivation?.hasBeenActive === false) return;
  try {
    if (what === "take") knock(520, 0.08);
    else if (what === "move") knock(260, 0.25);
    else if (what === "chat") {
      knock(620, 0.1);
      knock(620, 0.07, 0.09);
    } else if (what === "turn") {
      knock(330, 0.15);
      knock(440, 0.15, 0.12);
    } else [330, 415, 495].forEach((pitch, i) => knock(pitch, 0.2, i * 0.14));
  } catch {
    // No sound device: nothing to hear.
  }
}
