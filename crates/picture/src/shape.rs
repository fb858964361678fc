//! The one kind of shape that drawings are made of: what is near some points.

/// A point, or a distance from one to another: to the right, and down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point(pub f32, pub f32);

impl Point {
    fn from_to(one: Self, other: Self) -> Self {
        Self(other.0 - one.0, other.1 - one.1)
    }

    fn dot(self, other: Self) -> f32 {
        self.0 * other.0 + self.1 * other.1
    }
}

/// The points within a distance of a polygon: one with round corners, or a circle if it has one point.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    pub points: Vec<Point>,
    /// The distance.
    pub radius: f32,
    /// Width of the outline, if that is all there is of it.
    pub outline: Option<f32>,
}

impl Shape {
    pub fn circle(x: f32, y: f32, radius: f32) -> Self {
        Self {
            points: vec![Point(x, y)],
            radius,
            outline: None,
        }
    }

    pub fn polygon(points: &[(f32, f32)], radius: f32) -> Self {
        Self {
            points: points.iter().map(|&(x, y)| Point(x, y)).collect(),
            radius,
            outline: None,
        }
    }

    /// A rectangle with round corners, from the left and the top on.
    pub fn rectangle(left: f32, top: f32, width: f32, height: f32, corner: f32) -> Self {
        let (right, bottom) = (left + width - corner, top + height - corner);
        let (left, top) = (left + corner, top + corner);
        let corners = [(left, top), (right, top), (right, bottom), (left, bottom)];
        Self::polygon(&corners, corner)
    }

    pub fn outlined(self, width: f32) -> Self {
        Self {
            outline: Some(width),
            ..self
        }
    }

    /// The same, moved.
    pub fn moved(mut self, by: Point) -> Self {
        for point in &mut self.points {
            *point = Point(point.0 + by.0, point.1 + by.1);
        }
        self
    }

    /// How far it reaches beyond its points.
    pub fn reach(&self) -> f32 {
        self.radius + self.outline.unwrap_or_default() / 2.0
    }

    /// How far away a point is: less than 0 inside.
    pub fn distance(&self, from: Point) -> f32 {
        let whole = self.distance_to_points(from) - self.radius;
        match self.outline {
            Some(width) => whole.abs() - width / 2.0,
            None => whole,
        }
    }

    /// How far away a point is from the polygon.
    fn distance_to_points(&self, from: Point) -> f32 {
        let Some(last) = self.points.last() else {
            return f32::INFINITY;
        };
        let away = Point::from_to(*last, from);
        let mut nearest = away.dot(away);
        let mut is_inside = false;
        let mut before = *last;
        for &corner in &self.points {
            let edge = Point::from_to(corner, before);
            let away = Point::from_to(corner, from);
            let length = edge.dot(edge);
            if length > 0.0 {
                let along = (away.dot(edge) / length).clamp(0.0, 1.0);
                let off = Point(away.0 - edge.0 * along, away.1 - edge.1 * along);
                nearest = nearest.min(off.dot(off));
            }
            // Each edge that a ray to the right crosses changes the side.
            if (corner.1 > from.1) != (before.1 > from.1)
                && from.0 < corner.0 + edge.0 * away.1 / edge.1
            {
                is_inside = !is_inside;
            }
            before = corner;
        }
        match is_inside {
            true => -nearest.sqrt(),
            false => nearest.sqrt(),
        }
    }
}
